// The answers of a simulated BMC, and its messages for what it refuses.

export const bmcUsername = "reclaim";

export interface BmcRequest {
  readonly method: string;
  /** With its query, as sent. */
  readonly path: string;
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

export interface BmcAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text; omitted if the answer has no body. */
  readonly body?: string;
}

export const json = (value: unknown): string => JSON.stringify(value);

export function fault(
  status: number,
  id: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): BmcAnswer {
  const info = {
    "@odata.type": "#Message.v1_1_1.Message",
    MessageId: id,
    Message: text,
    Severity: "Critical",
    Resolution: "None.",
  };
  return {
    status,
    headers,
    body: json({ error: { code: id, message: text, "@Message.ExtendedInfo": [info] } }),
  };
}

/** For an action whose parameter is missing or of the wrong type. */
export const missingParameter = (words: string): BmcAnswer =>
  fault(400, "Base.1.8.ActionParameterMissing", words);

export const unknownProperty = (): BmcAnswer =>
  fault(
    400,
    "Base.1.8.PropertyUnknown",
    "The request holds a property that is unknown or cannot be written.",
  );
