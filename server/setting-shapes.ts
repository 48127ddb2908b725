// Shapes of settings in the environment, each with its error message (docs/operations.md#settings).
import { isIPv4, isIPv6 } from "node:net";
import { z } from "zod";

/** IPv4 or IPv6 network in CIDR notation, or the word `loopback` for 127.0.0.0/8, ::1 and `*.localhost`. */
export const network = z.union([z.literal("loopback"), z.cidrv4(), z.cidrv6()], {
  error: "must be a comma list of networks such as 10.0.0.0/8, or the word loopback",
});

/** An IP address and a port, as in a URL: an IPv6 address is in brackets. */
export const socketAddress = z.string().transform((text, context) => {
  const [, six = "", four = "", port = ""] = /^(?:\[([^\]]+)\]|([^:\]]+)):(\d{1,5})$/.exec(text) ?? [];
  if ((!isIPv6(six) && !isIPv4(four)) || Number(port) > 65_535) {
    context.addIssue("must be an IP address and a port, such as 10.20.0.5:8080 or [fd00::5]:8080");
    return z.NEVER;
  }
  return { address: six === "" ? four : six, port: Number(port) };
});

/** The items of a comma-separated list. */
export const list = (text: string) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** A whole number from `min` to `max`. */
export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

/** A number above 0, at most `max`. */
export const positive = (max: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, "must be a number")
    .transform(Number)
    .pipe(z.number().positive("must be more than 0").max(max, `must be at most ${max}`));

/** Without a trailing slash. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
  .transform((url) => url.replace(/\/+$/, ""));

/** Of a PostgreSQL database. */
export const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgresql:// address" });

/** At least `min` characters. */
export const secret = (min: number) => z.string().min(min, `must have at least ${min} characters`);

/** 32 bytes in base64. */
export const encryptionKey = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, "must be 32 bytes in base64 (44 characters)")
  .transform((text) => Buffer.from(text, "base64"));

/** Names as in pino. */
export const logLevel = z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
  error: "must be trace, debug, info, warn, error, fatal or silent",
});

/** A timestamping authority (RFC 3161), and an S3 service for evidence files. */
export const evidenceShape = {
  RECLAIM_TIMESTAMP_URL: httpUrl.optional(),
  RECLAIM_EVIDENCE_S3_URL: httpUrl.optional(),
  RECLAIM_EVIDENCE_S3_REGION: z.string().min(1, "must name a region").default("us-east-1"),
  RECLAIM_EVIDENCE_S3_ACCESS_KEY: secret(1).default("none"),
  RECLAIM_EVIDENCE_S3_SECRET_KEY: secret(1).default("none"),
};

/** Null if no service is configured. A service that requires keys refuses the placeholders of missing ones. */
export function evidenceS3Of(settings: {
  readonly RECLAIM_EVIDENCE_S3_URL?: string | undefined;
  readonly RECLAIM_EVIDENCE_S3_REGION: string;
  readonly RECLAIM_EVIDENCE_S3_ACCESS_KEY: string;
  readonly RECLAIM_EVIDENCE_S3_SECRET_KEY: string;
}) {
  const url = settings.RECLAIM_EVIDENCE_S3_URL;
  return url === undefined
    ? null
    : {
        url,
        region: settings.RECLAIM_EVIDENCE_S3_REGION,
        accessKey: settings.RECLAIM_EVIDENCE_S3_ACCESS_KEY,
        secretKey: settings.RECLAIM_EVIDENCE_S3_SECRET_KEY,
      };
}
