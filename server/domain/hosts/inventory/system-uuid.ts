// The UUID of a system as firmware tells it: in two byte orders, and on some boards the same on each of them.

/**
 * Values that boards have in place of a UUID of their own, as a regular expression for lower case that JavaScript and PostgreSQL read alike: one byte
 * throughout, bytes that count up, and two that vendors left in their firmware (oshi/oshi#2417, rockstor/rockstor-core#1964).
 */
export const placeholderUuid = String.raw`^(([0-9a-f]{2})\2{3}-\2{2}-\2{2}-\2{2}-\2{6}|00010203-0405-0607-0809-0a0b0c0d0e0f|03020100-0504-0706-0809-0a0b0c0d0e0f|03000200-0400-0500-0006-000700080009|00020003-0004-0005-0006-000700080009|12345678-1234-5678-90ab-cddeefaabbcc)$`;

/** In place of a UUID that firmware does not tell. */
export const nilUuid = "00000000-0000-0000-0000-000000000000";

const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const placeholder = new RegExp(placeholderUuid);

/** The UUID in lower case; empty if the text is no UUID, or one that names no machine. Pure. */
export function ownUuid(text: string): string {
  const uuid = text.trim().toLowerCase();
  return form.test(uuid) && !placeholder.test(uuid) ? uuid : "";
}

/** Pure. */
export const isOwnUuid = (text: string): boolean => ownUuid(text) !== "";

/** Why such a value cannot be given for a host. */
export const placeholderUuidText =
  "many boards have this in place of a UUID of their own, so it names no machine: give another, or none";

/** The first three parts of a UUID, whose bytes SMBIOS before 2.6 and some BMCs store in the other order (SMBIOS, 7.2.1). */
const bytes = "^(..)(..)(..)(..)-(..)(..)-(..)(..)";

/** The same UUID in the other byte order, in lower case. Pure. */
export const otherByteOrder = (uuid: string): string =>
  uuid.toLowerCase().replace(new RegExp(bytes), "$4$3$2$1-$6$5-$8$7");

/** `otherByteOrder` in SQL, of an expression of type uuid. */
export const otherByteOrderSql = (uuid: string): string =>
  String.raw`regexp_replace((${uuid})::text, '${bytes}', '\4\3\2\1-\6\5-\8\7')::uuid`;

/** Whether two UUIDs name the same system, in either byte order. Pure. */
export function sameUuid(one: string, other: string): boolean {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()];
  return left !== "" && (left === right || otherByteOrder(left) === right);
}
