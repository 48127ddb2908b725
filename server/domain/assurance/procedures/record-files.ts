// The files that support the record of a procedure, and what is wrong with them.
import type { RecordRefusal } from "@/server/domain/assurance/procedures/record";

const pictures: ReadonlySet<string> = new Set(["image/png", "image/jpeg"]);

/** Checks what each file shows against its type, which is detected from its content; null: nothing is wrong. Pure. */
export function filesRefusal(
  named: readonly { readonly sha256: string; readonly shows: string }[],
  stored: readonly { readonly sha256: string; readonly name: string; readonly type: string }[],
): RecordRefusal | null {
  const nameOf = (digest: string) => stored.find(({ sha256 }) => sha256 === digest)?.name ?? digest;
  const twice = named.find(
    ({ sha256 }, index) => named.findIndex((other) => other.sha256 === sha256) !== index,
  );
  // safety: procedures: one file answers for one kind of evidence
  if (twice !== undefined) return { field: "files", reason: `${nameOf(twice.sha256)} is listed twice` };
  const none = named.find(
    ({ sha256, shows }) =>
      shows === "photo" && !stored.some((file) => file.sha256 === sha256 && pictures.has(file.type)),
  );
  // safety: procedures: a photo is a picture
  return none === undefined
    ? null
    : { field: "files", reason: `${nameOf(none.sha256)} is not a photo: attach a PNG or JPEG file` };
}
