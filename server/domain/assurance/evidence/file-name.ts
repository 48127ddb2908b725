// The name of an evidence file: a label for people, and never a path.
import { evidenceTypes } from "@/server/domain/assurance/evidence/file-type";
import type { EvidenceType } from "@/server/domain/assurance/evidence/file-type";

const maxNameChars = 100;

/** Includes characters that change the text direction, which can hide an extension: `exe.gnp`. */
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** The last segment of a possible path, without characters special to file systems or terminals, and with its type's extension. Pure. */
export function evidenceName(given: string, type: EvidenceType): string {
  const last = given.normalize("NFC").replace(unseen, "").split(/[/\\]/).at(-1) ?? "";
  const plain = last
    .replaceAll(/[<>:"|?*;%]/g, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "")
    .slice(0, maxNameChars);
  const ending = evidenceTypes[type];
  if (plain === "") return `evidence.${ending}`;
  const has = /\.([a-z0-9]+)$/i.exec(plain)?.[1]?.toLowerCase() ?? "";
  const fits =
    has === ending || (type === "image/jpeg" && has === "jpeg") || (type === "text/plain" && has === "log");
  return fits ? plain : `${plain}.${ending}`;
}

/** Header that makes browsers save the file and never display it (RFC 6266). */
export const attachment = (name: string): string =>
  `attachment; filename="${name.replaceAll(/[^\w.-]/g, "_")}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)}`;
