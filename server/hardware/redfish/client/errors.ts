// What went wrong with a Redfish request, in words that name the request and the BMC's own message (docs/design/hardware.md#redfish).
import { z } from "zod";
import { refusalWords } from "@/server/domain/hardware/certificate";
import type { HardwareError } from "@/server/hardware/interfaces";
import type { Answered, ExchangeRequest, Lost } from "@/server/hardware/http/exchange";

/** A request, and what it is for: only `change` touches hardware, so only there an outcome can be unknown. */
export interface RedfishRequest extends ExchangeRequest {
  readonly purpose: "read" | "change" | "session";
  /** Told of an answer that came after the time of the request. */
  readonly late?: (answer: Answered) => void;
}

/** A HardwareError that still knows the status and the BMC's message ids, for decisions inside the client. */
export interface RedfishError extends HardwareError {
  readonly status: number | null;
  readonly messageIds: readonly string[];
}

export type Failed = { readonly ok: false; readonly error: RedfishError };

/** A failure that the client itself found. */
export function failure(kind: HardwareError["kind"], message: string, unknownOutcome = false): Failed {
  return { ok: false, error: { kind, message, unknownOutcome, status: null, messageIds: [] } };
}

type Line = Pick<RedfishRequest, "method" | "path" | "purpose">;

const text = z.string().nullish().catch(null);
const message = z.object({ MessageId: text, Message: text });
const messages = z.array(message.catch({})).nullish().catch(null);
const errorBody = z.object({
  error: z.object({ code: text, message: text, "@Message.ExtendedInfo": messages }).nullish().catch(null),
  "@Message.ExtendedInfo": messages,
});

/** Names of the message registries by which BMCs say "there is no such action, parameter or value" (DMTF Base registry, DSP8011). */
const notOffered =
  /\.(Action(NotSupported|ParameterNotSupported|ParameterUnknown|ParameterValueNotInList|ParameterValueTypeError|ParameterValueFormatError)|Property(Unknown|NotWritable|ValueNotInList))$/;

/** The error of an answer that is not a success. A changing request that the BMC failed at may still have had its effect. */
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

/** The error of a request without a whole answer. */
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
          ? `${line.method} ${line.path} was not sent, because the BMC's certificate is not accepted: ${untrustedWords(lost)}`
          : `${line.method} ${line.path} ${kind === "refused" ? "was not sent" : `got no answer${status}`}: ${lost.reason}`,
      unknownOutcome: isChange(line) && lost.sent,
      status: null,
      messageIds: [],
    },
  };
}

/** The code first: what Node and OpenSSL say in words does not say what to do. */
const untrustedWords = ({ reason }: Lost): string => {
  const [, code] = /^([A-Z_]+): /.exec(reason) ?? [];
  return code === undefined ? reason : `${code}; ${refusalWords(code)}`;
};

/** The error of an answer whose content is not what it must be. */
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

/** The BMC does not take what it was sent, whenever it is asked: another value or another way may do. */
export const declinesValue = ({ status }: Pick<RedfishError, "status">): boolean =>
  status === 400 || status === 422 || status === 501;

function isChange(line: Line): boolean {
  return line.purpose === "change";
}

function kindOf(status: number, ids: readonly string[]): HardwareError["kind"] {
  if (status === 404 || status === 405 || status === 501) return "unsupported";
  if (status === 400 && ids.some((id) => notOffered.test(id))) return "unsupported";
  // The request is wrong for this BMC, or its version of the resource forbids it after it was read anew: it will say so again.
  if (status === 400 || status === 412 || status === 422) return "rejected";
  // 409, 423, 428: the state of the resource, or its version, forbids it. Asking again unchanged is no use.
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

/** A BMC's text on one line and of bounded length: it goes into logs and onto screens. */
function tidy(value: string | null | undefined): string {
  // \p{C}: control characters and the invisible ones.
  return (value ?? "")
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, 500);
}

/** The parsed text, or undefined when it is not JSON. */
export function parseJson(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}
