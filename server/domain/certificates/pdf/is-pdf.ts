// In a file of its own, so that who only asks loads nothing that draws.

/** Whether a file says that it is a PDF. */
export const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-";
