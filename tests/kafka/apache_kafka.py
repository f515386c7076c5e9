"""A real Apache Kafka broker in KRaft mode, as a child of the test run."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import shutil
import subprocess
from functools import partial
from pathlib import Path

from streams.embedded.children import Child, Children, ChildSpec, accepts_connections, free_port

HERE = Path(__file__).parent
LIBS = HERE / "libs"
CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qk"

PROPERTIES = """
process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=127.0.0.1:{controller_port}
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
inter.broker.listener.name=PLAINTEXT
log.dirs={data}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
message.max.bytes=10485760
"""


class KafkaMissing(Exception):
    """No Apache Kafka can be had here, and why."""


def fetch_jars() -> Path:
    """The directory with the broker's jars, fetched from Maven Central on first use. Raises KafkaMissing."""
    for program in ("java", "mvn"):
        if shutil.which(program) is None:
            raise KafkaMissing(f"{program} is not installed")
    LIBS.mkdir(exist_ok=True)
    wanted = hashlib.sha256((HERE / "pom.xml").read_bytes()).hexdigest()
    done = LIBS / ".complete"
    with (LIBS / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two test runs at once must not fetch into one directory
        if not done.exists() or done.read_text() != wanted:
            _run_maven()
            done.write_text(wanted)
    return LIBS


def _run_maven() -> None:
    goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={LIBS}"]
    command = ["mvn", "-q", "-B", "-f", str(HERE / "pom.xml"), *goal]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if finished.returncode != 0:
        said = (finished.stdout + finished.stderr).strip()
        raise KafkaMissing(f"Maven could not fetch the jars: {said.splitlines()[0] if said else 'no reason given'}")


class ApacheKafka:
    """One broker with its data in `directory`: it can be stopped, killed and started again on its data."""

    def __init__(self, directory: Path) -> None:
        self._libs = fetch_jars()
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._port = free_port()
        self._children = Children(directory / "logs")
        self._child: Child | None = None
        self._properties = directory / "server.properties"
        self._properties.write_text(
            PROPERTIES.format(port=self._port, controller_port=free_port(), data=directory / "data")
        )
        self._java("kafka.tools.StorageTool", "format", "--standalone", "-t", CLUSTER_ID, "-c", str(self._properties))

    @property
    def bootstrap_servers(self) -> str:
        return f"127.0.0.1:{self._port}"

    def start(self) -> None:
        argv = [
            *("java", "-Xmx512m", "-XX:+UseSerialGC", f"-Dlog4j2.configurationFile={HERE / 'log4j2.properties'}"),
            *("-cp", f"{self._libs}/*", "kafka.Kafka", str(self._properties)),
        ]
        spec = ChildSpec("kafka", argv, partial(accepts_connections, self._port), ready_seconds=60)
        self._child = asyncio.run(self._children.start(spec))

    def kill(self) -> None:
        """SIGKILL, as a machine that loses its power."""
        assert self._child is not None
        self._child.process.kill()
        self._child.process.wait()

    def stop(self) -> None:
        asyncio.run(self._children.stop_all(grace_seconds=20))

    def _java(self, *arguments: str) -> None:
        subprocess.run(["java", "-cp", f"{self._libs}/*", *arguments], check=True, capture_output=True, timeout=120)
