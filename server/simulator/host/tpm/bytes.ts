// Numbers as bytes: big-endian in what a TPM writes, little-endian in what firmware does.

function numbers<Value>(
  width: number,
  values: readonly Value[],
  write: (bytes: Buffer, value: Value, at: number) => void,
): Buffer {
  const bytes = Buffer.alloc(width * values.length);
  values.forEach((value, place) => write(bytes, value, width * place));
  return bytes;
}

export const u16 = (...values: readonly number[]): Buffer =>
  numbers(2, values, (bytes, value, at) => bytes.writeUInt16BE(value, at));
export const u32 = (...values: readonly number[]): Buffer =>
  numbers(4, values, (bytes, value, at) => bytes.writeUInt32BE(value, at));
export const u64 = (...values: readonly bigint[]): Buffer =>
  numbers(8, values, (bytes, value, at) => bytes.writeBigUInt64BE(value, at));

export const le16 = (...values: readonly number[]): Buffer =>
  numbers(2, values, (bytes, value, at) => bytes.writeUInt16LE(value, at));
export const le32 = (...values: readonly number[]): Buffer =>
  numbers(4, values, (bytes, value, at) => bytes.writeUInt32LE(value, at));
export const le64 = (...values: readonly bigint[]): Buffer =>
  numbers(8, values, (bytes, value, at) => bytes.writeBigUInt64LE(value, at));
