// What went wrong with a Redfish request, in a message that names the request and quotes the BMC (docs/design/hardware.md#redfish).
import { z } from "zod";
import { formatRefusal } from "@/server/domain/hardware/certificate";
import type { HardwareError } from "@/server/hardware/interfaces";
import type { Answered, ExchangeRequest, Lost } from "@/server/hardware/http/exchange";

/** A request and its purpose. Only `change` touches hardware, so only there an outcome can be unknown. */
export interface RedfishRequest extends ExchangeRequest {
  readonly purpose: "read" | "change" | "session";
  /** Called with an answer that came after the timeout. */
  readonly late?: (answer: Answered) => void;
}

/** A HardwareError with the status and the BMC's message ids, for decisions inside the client. */
export interface RedfishError extends HardwareError {
  readonly status: number | null;
  readonly messageIds: readonly string[];
}

export type Failed = { readonly ok: false; readonly error: RedfishError };

/** A failure that the client itself detected. */
export function failure(kind: HardwareError["kind"], message: string, unknownOutcome = false): Failed {
  return { ok: false, error: { kind, message, unknownOutcome, status: null, messageIds: [] } };
}

/** Our own time was over before the BMC could answer. */
export function outOfTime(message: string): Failed {
  const { error } = failure("unreachable", message);
  return { ok: false, error: { ...error, ownLimit: true } };
}

type Line = Pick<RedfishRequest, "method" | "path" | "purpose">;

const text = z.string().nullish().catch(null);
const message = z.object({ MessageId: text, Message: text });
const messages = z.array(message.catch({})).nullish().catch(null);
const errorBody = z.object({
  error: z.object({ code: text, message: text, "@Message.ExtendedInfo": messages }).nullish().catch(null),
  "@Message.ExtendedInfo": messages,
});

/** Messages by which BMCs say "there is no such action, parameter or value" (DMTF Base registry, DSP8011). */
const notOffered =
  /\.(Action(NotSupported|ParameterNotSupported|ParameterUnknown|ParameterValueNotInList|ParameterValueTypeError|ParameterValueFormatError)|Property(Unknown|NotWritable|Value(NotInList|TypeError|FormatError|OutOfRange|Incorrect)))$/;

/** The error for an unsuccessful answer. A change that failed in the BMC may still have taken effect. */
export function answeredError(line: Line, answer: Pick<Answered, "status" | "text">): Failed {
  const said = messagesOf(answer.text);
  const ids = said.flatMap(({ id }) => (id === "" ? [] : [id]));
  const words = said.slice(0, 2).map(({ id, words }) => [id, words].filter((part) => part !== "").join(": "));
  const redirect = answer.status >= 300 && answer.status < 400 ? ["redirects are not followed"] : [];
  return {
    ok: false,
    error: {
      kind: kindOf(answer.status, ids),
      message: [`${line.method} ${line.path} was answered ${answer.status}`, ...redirect, ...words].join(
        "; ",
      ),
      unknownOutcome: isChange(line) && answer.status >= 500 && answer.status !== 501,
      status: answer.status,
      messageIds: ids,
    },
  };
}

/** The error for a request without a complete response. */
export function lostError(line: Line, lost: Lost): Failed {
  const kind =
    lost.cause === "forbidden"
      ? "refused"
      : lost.cause === "untrusted"
        ? "untrusted"
        : lost.cause === "stopped" || lost.cause === "too large"
          ? "failed"
          : "unreachable";
  const status = lost.status === null ? "" : ` after status ${lost.status}`;
  return {
    ok: false,
    error: {
      kind,
      message:
        kind === "untrusted"
          ? `${line.method} ${line.path} was not sent, because the BMC's certificate is not accepted: ${untrustedText(lost)}`
          : `${line.method} ${line.path} ${kind === "refused" ? "was not sent" : `got no answer${status}`}: ${lost.reason}`,
      unknownOutcome: isChange(line) && lost.sent,
      status: null,
      messageIds: [],
    },
  };
}

/** The code comes first: the text of Node and OpenSSL does not say what to do. */
const untrustedText = ({ reason }: Lost): string => {
  const [, code] = /^([A-Z_]+): /.exec(reason) ?? [];
  return code === undefined ? reason : `${code}; ${formatRefusal(code)}`;
};

/** The error for an answer with unexpected content. */
export function contentError(line: Line, status: number, problem: string): Failed {
  return {
    ok: false,
    error: {
      kind: "failed",
      message: `${line.method} ${line.path} was answered ${status}, but ${problem}`,
      unknownOutcome: isChange(line),
      status,
      messageIds: [],
    },
  };
}

/** The BMC will never accept this request; another value or another kind of request may work. */
export const declinesValue = ({ status }: Pick<RedfishError, "status">): boolean =>
  status === 400 || status === 422 || status === 501;

function isChange(line: Line): boolean {
  return line.purpose === "change";
}

function kindOf(status: number, ids: readonly string[]): HardwareError["kind"] {
  if (status === 404 || status === 405 || status === 501) return "unsupported";
  if ((status === 400 || status === 422) && ids.some((id) => notOffered.test(id))) return "unsupported";
  // The request is wrong for this BMC, or the version was refused even after it was read again: the answer would be the same.
  if (status === 400 || status === 412 || status === 422) return "rejected";
  // 409, 423, 428: the state or the version of the resource forbids it. Retrying the same request is pointless.
  if ([401, 403, 409, 423, 428].includes(status)) return "refused";
  return "failed";
}

function messagesOf(answer: string): ReadonlyArray<{ id: string; words: string }> {
  if (answer === "") return [];
  const parsed = errorBody.safeParse(parseJson(answer));
  if (!parsed.success) return [];
  const { error } = parsed.data;
  const extended = error?.["@Message.ExtendedInfo"] ?? parsed.data["@Message.ExtendedInfo"] ?? [];
  const said = extended
    .map((item) => ({ id: tidy(item.MessageId), words: tidy(item.Message) }))
    .filter(({ id, words }) => id !== "" || words !== "");
  if (said.length > 0) return said;
  const general = { id: tidy(error?.code), words: tidy(error?.message) };
  return general.id === "" && general.words === "" ? [] : [general];
}

/** A BMC's text on one line, with a length limit: it goes into logs and onto screens. */
function tidy(value: string | null | undefined): string {
  // \p{C}: control and other invisible characters.
  return (value ?? "")
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, 500);
}

/** The parsed text, or undefined if it is not JSON. */
export function parseJson(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}
