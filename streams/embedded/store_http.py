"""ClickHouse's HTTP protocol in front of the engine: a request in, a statement run, a response out.

What it carries is what ClickHouse's own clients send: SQL in the body or in `query`, bound parameters `param_x` in
the URL or in a form, settings in the URL, compressed bodies, compressed responses, `X-ClickHouse-*` headers, errors
with ClickHouse's code. Sessions and external tables are not there; a result is held in memory before it is sent.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import uuid
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

import cramjam
from aiohttp import BodyPartReader, web
from aiohttp.typedefs import Handler

from streams.embedded.store_engine import Engine, EngineError, Outcome, Statement

MAX_BODY_BYTES = 1 << 30
THREADS = 8

# What the HTTP layer takes for itself; everything else in the URL that is no parameter is a setting.
_TRANSPORT = frozenset(
    {
        "buffer_size",
        "cancel_http_readonly_queries_on_client_close",
        "client_protocol_version",
        "compress",
        "database",
        "decompress",
        "default_format",
        "enable_http_compression",
        "http_headers_progress_interval_ms",
        "password",
        "query",
        "query_id",
        "quota_key",
        "role",
        "send_progress_in_http_headers",
        "session_check",
        "session_id",
        "session_timeout",
        "user",
        "wait_end_of_query",
    }
)
_LOOPBACK = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d+)?", re.IGNORECASE)
_GIVES_ROWS = re.compile(rb"(?:\s|\(|/\*.*?\*/|--[^\n]*\n)*(SELECT|WITH|SHOW|DESC|EXPLAIN|EXISTS)\b", re.I | re.S)
_FORMAT = re.compile(rb"\bFORMAT\s+(\w+)\s*;?\s*$", re.IGNORECASE)

# As ClickHouse maps its codes to HTTP: what can't be read 400, what isn't there 404, the rest 500.
_BAD_REQUEST = frozenset({6, 25, 26, 27, 36, 38, 41, 53, 62, 72, 117, 456, 457})
_NOT_FOUND = frozenset({46, 47, 50, 56, 60, 63, 73, 81, 115, 336})
_NOT_IMPLEMENTED = 48

_DECOMPRESS: Mapping[str, Callable[[bytes], bytes]] = {
    "lz4": lambda data: bytes(cramjam.lz4.decompress(data)),
    "zstd": lambda data: bytes(cramjam.zstd.decompress(data)),
    "gzip": gzip.decompress,
    "deflate": zlib.decompress,
}
_COMPRESS: Mapping[str, Callable[[bytes], bytes]] = {
    "lz4": lambda data: bytes(cramjam.lz4.compress(data)),
    "zstd": lambda data: bytes(cramjam.zstd.compress(data, 1)),
    "gzip": lambda data: gzip.compress(data, 1),
}


def make_application(engine: Engine) -> web.Application:
    """The HTTP application over an engine that the caller opened and closes after it."""
    threads = ThreadPoolExecutor(THREADS, thread_name_prefix="store")

    async def answer(request: web.Request) -> web.Response:
        return await _answer(request, engine, threads)

    async def end_threads(_: web.Application) -> None:
        await asyncio.to_thread(threads.shutdown)

    application = web.Application(client_max_size=MAX_BODY_BYTES, middlewares=[_local_programs_only])
    application.router.add_get("/ping", _ping)
    application.router.add_route("*", "/", answer)
    application.on_cleanup.append(end_threads)
    return application


@web.middleware
async def _local_programs_only(request: web.Request, handler: Handler) -> web.StreamResponse:
    # Loopback keeps other machines out, not the pages that a local browser shows: those send an Origin, or come
    # under a name of their own that resolves to this machine.
    if "Origin" in request.headers or _LOOPBACK.fullmatch(request.host) is None:
        return web.Response(status=403, text="the store answers local programs only, no web pages\n")
    return await handler(request)


async def _ping(_: web.Request) -> web.Response:
    return web.Response(text="Ok.\n")


async def _answer(request: web.Request, engine: Engine, threads: ThreadPoolExecutor) -> web.Response:
    query_id = request.query.get("query_id") or str(uuid.uuid4())
    headers = {"X-ClickHouse-Query-Id": query_id, "X-ClickHouse-Server-Display-Name": "evenhand store"}
    try:
        statement = await _statement(request)
        if not statement.sql.strip():
            return web.Response(text="Ok.\n")
        outcome = await asyncio.get_running_loop().run_in_executor(threads, engine.run, statement)
    except EngineError as error:
        headers["X-ClickHouse-Exception-Code"] = str(error.code)
        return web.Response(status=_status(error.code), text=f"{error}\n", headers=headers)
    headers["X-ClickHouse-Timezone"] = "UTC"
    headers["X-ClickHouse-Summary"] = _summary(outcome)
    result_format = _format_of(statement.sql)
    if result_format is not None:
        headers["X-ClickHouse-Format"] = result_format
    body, encoding = _compressed(outcome.body, request)
    if encoding is not None:
        headers["Content-Encoding"] = encoding
    return web.Response(body=body, headers=headers, content_type="application/octet-stream")


async def _statement(request: web.Request) -> Statement:
    fields = dict(request.query)
    if request.content_type == "multipart/form-data":
        fields.update(await _form(request))
        body = b""
    else:
        body = _decompressed(await request.read(), request.headers.get("Content-Encoding"))
    query = fields.get("query", "").encode("utf-8", "surrogateescape")
    return Statement(
        sql=query + b"\n" + body if query and body else query or body,
        parameters={name[len("param_") :]: value for name, value in fields.items() if name.startswith("param_")},
        settings={
            name: value for name, value in fields.items() if name not in _TRANSPORT and not name.startswith("param_")
        },
        database=fields.get("database") or request.headers.get("X-ClickHouse-Database"),
        read_only=request.method == "GET",
    )


async def _form(request: web.Request) -> dict[str, str]:
    fields: dict[str, str] = {}
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader) or part.name is None or part.filename is not None:
            raise EngineError(
                f"Code: {_NOT_IMPLEMENTED}. DB::Exception: the store takes no external tables. (NOT_IMPLEMENTED)"
            )
        fields[part.name] = (await part.read(decode=True)).decode("utf-8")
    return fields


def _decompressed(body: bytes, encoding: str | None) -> bytes:
    if encoding is None or encoding == "identity" or not body:
        return body
    if encoding not in _DECOMPRESS:
        raise EngineError(f"Code: {_NOT_IMPLEMENTED}. DB::Exception: unknown Content-Encoding. (NOT_IMPLEMENTED)")
    try:
        return _DECOMPRESS[encoding](body)
    except Exception:
        raise EngineError(
            f"Code: 271. DB::Exception: the body is not {encoding}, as its Content-Encoding says. (CANNOT_DECOMPRESS)"
        ) from None


def _compressed(body: bytes, request: web.Request) -> tuple[bytes, str | None]:
    if request.query.get("enable_http_compression") != "1" or not body:
        return body, None
    accepted = [name.split(";")[0].strip() for name in request.headers.get("Accept-Encoding", "").split(",")]
    for name in accepted:
        if name in _COMPRESS:
            return _COMPRESS[name](body), name
    return body, None


def _format_of(sql: bytes) -> str | None:
    if _GIVES_ROWS.match(sql[:4096]) is None:
        return None
    format_clause = _FORMAT.search(sql[-200:])
    return format_clause[1].decode() if format_clause else "TabSeparated"


def _summary(outcome: Outcome) -> str:
    return json.dumps(
        {
            "read_rows": str(outcome.rows_read),
            "written_rows": str(outcome.rows_written),
            "elapsed_ns": str(int(outcome.elapsed_seconds * 1e9)),
        }
    )


def _status(code: int) -> int:
    if code in _BAD_REQUEST:
        return 400
    if code in _NOT_FOUND:
        return 404
    return 501 if code == _NOT_IMPLEMENTED else 500
