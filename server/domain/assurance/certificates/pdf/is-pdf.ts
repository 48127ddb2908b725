// In its own file, so that callers who only need this check do not load the drawing code.

/** Whether a file starts like a PDF. */
export const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-";
