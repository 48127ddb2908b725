// Maps a thrown error to a problem for the caller. Only its kind is revealed.
import {
  outageProblem,
  unreadableProblem,
  unstorableProblem,
} from "@/server/usecases/database/database-problems";
import { unstorableText } from "@/server/domain/storable-text";
import { MalformedBody } from "@/server/surfaces/machine/http/json-body";
import type { MachineProblem } from "@/server/surfaces/machine/http/problems";

const codeOf = (error: unknown): string => {
  const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : "";
};

const byCode: Readonly<Record<string, MachineProblem>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: "tooLarge" },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: "unsupportedType" },
  FST_ERR_CTP_EMPTY_TYPE: { code: "unsupportedType" },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: "malformed", detail: "The body is empty." },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: "malformed",
    detail: "The body length does not match Content-Length.",
  },
  BODY_TOO_SLOW: { code: "tooSlow" },
  BODY_NO_ROOM: { code: "unavailable", detail: "Too many uploads in progress. Retry the request." },
  BODY_GONE: { code: "malformed", detail: "The connection was closed before the body was complete." },
  FST_ERR_BAD_URL: { code: "invalid", detail: "The address is not encoded correctly." },
  NO_TOKEN: { code: "unauthorized" },
  URL_WITH_NUL: { code: "invalid", detail: unstorableText },
  FST_ERR_MAX_PARAM_LENGTH: { code: "notFound" },
};

/** `expected` errors are the caller's, and need no log line of their own. */
export function problemOfError(error: unknown): {
  readonly problem: MachineProblem;
  readonly expected: boolean;
} {
  if (error instanceof MalformedBody)
    return { problem: { code: "malformed", detail: error.message }, expected: true };
  const code = codeOf(error);
  const known = byCode[code];
  if (known !== undefined) return { problem: known, expected: true };
  const problem = outageProblem(error) ?? unstorableProblem(code) ?? unreadableProblem(error);
  if (problem !== null) return { problem, expected: false };
  const status: unknown =
    typeof error === "object" && error !== null ? Reflect.get(error, "statusCode") : undefined;
  if (typeof status === "number" && status >= 400 && status < 500)
    return { problem: { code: "invalid", detail: "The request cannot be read." }, expected: true };
  return { problem: { code: "internal" }, expected: false };
}
