"""Settings of the service: arguments of `jackpot serve`, or `JACKPOT_...` in the environment."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from api.http.networks import Network, read_networks
from jackpot.book.stores.addresses import DEFAULT_URL

LONGEST_ADDRESS = 200


def check_public_address(address: str) -> str:
    """Without a slash at its end."""
    parts = urlsplit(address)
    named = parts.scheme in ("http", "https") and parts.hostname and not parts.username and not parts.password
    if not named or parts.query or parts.fragment or len(address) > LONGEST_ADDRESS or not _plain(address):
        raise ValueError("public_address begins with http:// or https:// and names a host, perhaps a path")
    return address.rstrip("/")


def _plain(address: str) -> bool:
    return address.isascii() and address.isprintable() and " " not in address


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="JACKPOT_", extra="ignore", frozen=True)

    floor: Path = Path("floor.toml")
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    database_url: str = DEFAULT_URL
    """Of several servers the one that writes is followed: `...@/book?host=a:5432&host=b:5432`."""
    standby: Literal["required", "optional"] = "optional"
    """Whether a PostgreSQL whose commits wait for no standby is refused."""
    redis_url: SecretStr | None = None
    """`redis://…`, or `redis+sentinel://a:26379,b:26379/mymaster/0`."""
    anchors: Path | None = None
    """The file of signed heads, outside the database."""
    anchor_key: Path | None = None
    public_docs: bool = True
    public_metrics: bool = True
    metrics_port: int | None = Field(default=None, ge=0, le=65535)
    """Serves all metrics without asking who is there: for monitoring alone, not for the public."""
    metrics_host: str | None = None
    """Where that port is; default: where the service is."""
    public_address: str = ""
    """Where players' own devices reach the service, such as `https://jackpot.example.com`: displays of tables
    show a code that leads there; empty: none."""
    demo: bool = False
    """Accept tokens and passwords in plain and wins without approval: only for a floor nobody plays on."""
    session_hours: int = Field(default=12, ge=1, le=24)
    secure_cookies: bool = False
    """Behind TLS: browsers then send the session's cookie on encrypted connections only."""
    trusted_proxies: str = ""
    """Whose word is taken for the address of a caller: addresses or networks, separated by commas."""
    streams_per_address: int = Field(default=2_000, ge=0)
    """At once; 0 for no limit. All signs behind one proxy that is not trusted share an address."""
    waits_per_address: int = Field(default=2_000, ge=0)
    """Polls that wait, likewise."""
    connections_per_address: int = Field(default=0, ge=0)
    """Likewise, of the connections themselves; a proxy has all of its callers' on its own address."""
    self_check_hours: float = Field(default=24, ge=0, le=24 * 31)
    """Between two looks of the service at its own book, the first at its start; 0 for none."""
    head_seconds: float = Field(default=30, gt=0, le=600)
    """For a request's head to arrive, and for a connection that is kept to be used again."""
    body_seconds: float = Field(default=15, gt=0, le=600)
    """For a request's body to arrive."""
    stop_seconds: float = Field(default=20, gt=0, le=600)
    """From being told to stop until the process has ended, whatever callers do."""
    tls_cert: Path | None = None
    """A PEM file with the service's certificate and those between it and its authority."""
    tls_key: Path | None = None
    webhooks_allow: str = ""
    """Networks that are not public and to which webhooks may send all the same, separated by commas."""
    webhooks_key: Path | None = None
    """32 bytes as base64: with them webhooks' secrets are sealed in the database."""
    webhooks_seconds: float = Field(default=10, gt=0, le=60)
    """For one attempt to hand an event over."""
    webhooks_retry_seconds: float = Field(default=300, gt=0, le=3600)
    """Between two attempts at most."""
    log_level: str = Field(default="info", pattern="^(debug|info|warning|error)$")

    @field_validator("redis_url")
    @classmethod
    def _redis_can_be_found(cls, url: SecretStr | None) -> SecretStr | None:
        if url is not None:
            from displays.hub.redis_address import check_address  # a service without Redis does not import it

            check_address(url.get_secret_value())
        return url

    @field_validator("webhooks_allow")
    @classmethod
    def _networks_are_some(cls, text: str) -> str:
        read_networks(text)
        return text

    @property
    def webhook_networks(self) -> tuple[Network, ...]:
        return read_networks(self.webhooks_allow)

    @field_validator("public_address")
    @classmethod
    def _address_leads_somewhere(cls, address: str) -> str:
        return check_public_address(address) if address else ""

    @model_validator(mode="after")
    def _anchors_are_signed(self) -> Self:
        if (self.anchors is None) != (self.anchor_key is None):
            raise ValueError("anchors and anchor_key go together")
        return self

    @model_validator(mode="after")
    def _metrics_have_a_port_of_their_own(self) -> Self:
        if self.metrics_port and self.metrics_port == self.port:
            raise ValueError("metrics_port is the port of the service, which must not tell everything")
        if self.metrics_host is not None and self.metrics_port is None:
            raise ValueError("metrics_host goes with metrics_port")
        return self

    @model_validator(mode="after")
    def _tls_is_whole(self) -> Self:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError("tls_cert and tls_key go together")
        return self

    @property
    def tls(self) -> tuple[Path, Path] | None:
        """The files of the certificate and of its key."""
        return None if self.tls_cert is None or self.tls_key is None else (self.tls_cert, self.tls_key)

    @property
    def cookies_are_secure(self) -> bool:
        return self.secure_cookies or self.tls is not None

    @model_validator(mode="after")
    def _demo_stays_here(self) -> Self:
        for host in (self.host, self.metrics_host or self.host):
            if self.demo and not _is_loopback(host):
                raise ValueError(f"a demo floor is served on this machine only, not on {host}")
        return self


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
