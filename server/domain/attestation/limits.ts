// How much of a host's TPM is accepted, in bytes; both sides of the protocol know it.

/** No certificate of a TPM needs more. */
export const maxCertificateBytes = 8192;

/** Event logs of servers with many devices have about 200 KiB. */
export const maxEventLogBytes = 512 * 1024;

/** A quote with its event log in base64, as JSON. */
export const quoteLimitBytes = Math.ceil((maxEventLogBytes * 4) / 3) + 16 * 1024;

/** What makes each quote another one. */
export const nonceBytes = 32;

/** The registers of a quote (docs/adr/0150-measured-boot.md). */
export const measuredPcrs: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
