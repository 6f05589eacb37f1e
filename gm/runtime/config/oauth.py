"""`[oauth]`: the app that asks for tokens."""

from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import PlainValidator, ValidationInfo, field_validator

from gm.runtime.config import values
from gm.runtime.config.passwords import TOKENS, from_file
from gm.runtime.config.values import NotAllowed, Section, allowed, folder_of
from gm.runtime.redaction import Secret


def _read(given: Any, info: ValidationInfo) -> Secret:
    if not isinstance(given, str):
        raise ValueError
    return from_file(given, folder_of(info)) if given else Secret()


_SecretFile: TypeAlias = Annotated[
    Secret, PlainValidator(_read), allowed("a path, relative to the folder of this file")
]


class OAuth(Section):
    """The app that asks for tokens, instead of both passwords. The GM has registered it at the provider."""

    provider: Literal["microsoft", "google"]
    client_id: values.Line
    client_secret_file: _SecretFile = Secret()
    tenant: values.Organisation = "common"
    _tokens: Path = Path(TOKENS)

    @field_validator("client_secret_file")
    @classmethod
    def _is_kept_by_few(cls, secret: Secret, info: ValidationInfo) -> Secret:
        if secret and info.data.get("provider") == "microsoft":
            raise NotAllowed("no secret with microsoft: whoever logs in by a code has an app without one")
        return secret

    def model_post_init(self, folder: Any) -> None:
        """Note where the tokens are kept."""
        if folder is not None:
            self._tokens = folder / TOKENS

    @property
    def tokens(self) -> Path:
        """The file with the tokens."""
        return self._tokens

    @property
    def name(self) -> str:
        """The provider as sentences call it."""
        return self.provider.capitalize()
