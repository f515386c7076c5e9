"""A real Apache Kafka broker in KRaft mode, as a child of the test run."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import shutil
import subprocess
from functools import partial
from pathlib import Path

import trustme
from cryptography.hazmat.primitives import serialization

from streams.embedded.children import Child, Children, ChildSpec, accepts_connections, free_port

HERE = Path(__file__).parent
LIBS = HERE / "libs"
# A broker that lives for minutes: up sooner without the second compiler and the threads of a larger collector.
JAVA = ("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qk"

PROPERTIES = """
process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=127.0.0.1:{controller_port}
controller.listener.names=CONTROLLER
listeners={protocol}://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}
advertised.listeners={protocol}://127.0.0.1:{port}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,{protocol}:{protocol}
inter.broker.listener.name={protocol}
log.dirs={data}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
auto.create.topics.enable=false
message.max.bytes=10485760
"""

SECURE_PROPERTIES = """
sasl.enabled.mechanisms=SCRAM-SHA-512
sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=\
  org.apache.kafka.common.security.scram.ScramLoginModule required username="broker" password="{broker_password}";
ssl.keystore.type=PEM
ssl.keystore.location={keystore}
ssl.truststore.type=PEM
ssl.truststore.location={authority}
"""

USER, PASSWORD = "worker", "of-the-test-only"
"""Who may use a secure broker."""


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
    """One broker with its data in `directory`: it can be stopped, killed and started again on its data.

    A `secure` one speaks TLS, with a certificate of the authority in `authority`, and asks for SCRAM-SHA-512.
    """

    def __init__(self, directory: Path, *, secure: bool = False) -> None:
        self._libs = fetch_jars()
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._port = free_port()
        self._children = Children(directory / "logs")
        self._child: Child | None = None
        self._properties = directory / "server.properties"
        self.authority = directory / "authority.pem"
        text = PROPERTIES.format(
            protocol="SASL_SSL" if secure else "PLAINTEXT",
            port=self._port,
            controller_port=free_port(),
            data=directory / "data",
        )
        users: list[str] = []
        if secure:
            text += SECURE_PROPERTIES.format(
                keystore=self._certify(), authority=self.authority, broker_password="between-brokers"
            )
            for name, password in (("broker", "between-brokers"), (USER, PASSWORD)):
                users += ["--add-scram", f"SCRAM-SHA-512=[name={name},password={password}]"]
        self._properties.write_text(text)
        formatting = ("format", "--standalone", "-t", CLUSTER_ID, "-c", str(self._properties))
        self._java("kafka.tools.StorageTool", *formatting, *users)

    @property
    def bootstrap_servers(self) -> str:
        return f"127.0.0.1:{self._port}"

    def start(self) -> None:
        logging = f"-Dlog4j2.configurationFile={HERE / 'log4j2.properties'}"
        argv = [*JAVA, "-Xmx512m", logging, "-cp", f"{self._libs}/*", "kafka.Kafka", str(self._properties)]
        spec = ChildSpec("kafka", argv, partial(accepts_connections, self._port), ready_seconds=60)
        self._child = asyncio.run(self._children.start(spec))

    def kill(self) -> None:
        """SIGKILL, as a machine that loses its power."""
        assert self._child is not None
        self._child.process.kill()
        self._child.process.wait()

    def stop(self) -> None:
        asyncio.run(self._children.stop_all(grace_seconds=20))

    def _certify(self) -> Path:
        """A key and a certificate for 127.0.0.1, in one file, by an authority of the test's own."""
        authority = trustme.CA()
        authority.cert_pem.write_to_path(self.authority)
        server = authority.issue_cert("127.0.0.1")
        keystore = self._directory / "keystore.pem"
        key = serialization.load_pem_private_key(server.private_key_pem.bytes(), None)
        keystore.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
            + b"".join(part.bytes() for part in server.cert_chain_pems)
            + authority.cert_pem.bytes()
        )
        return keystore

    def _java(self, *arguments: str) -> None:
        command = [*JAVA, "-cp", f"{self._libs}/*", *arguments]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
