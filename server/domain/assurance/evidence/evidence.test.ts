// Which files are accepted as evidence, and the names they get. Each hostile file in these tests is one that somebody could send.
import { expect, it } from "vitest";
import { attachment, evidenceName } from "@/server/domain/assurance/evidence/file-name";
import { evidenceType } from "@/server/domain/assurance/evidence/file-type";

const bytes = (text: string) => Buffer.from(text, "utf8");
const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), bytes("....IHDR")]);
const jpeg = Buffer.from("ffd8ffe000104a464946", "hex");

it.each([
  ["a picture", png, "image/png", "image/png"],
  ["a picture of unknown type", png, null, "image/png"],
  ["a photo", jpeg, "image/jpeg", "image/jpeg"],
  ["a photo as browsers of old call it", jpeg, "image/jpg", "image/jpeg"],
  ["a document", bytes("%PDF-1.7\n"), "application/pdf", "application/pdf"],
  ["a log", bytes("<34>Oct 11 su: failed\n\u001b[31mred\u001b[0m\n"), "text/plain", "text/plain"],
  ["a table", bytes("serial,result\nS1,ok\n"), "text/csv; charset=utf-8", "text/csv"],
  ["JSON", bytes('{"a": 1}'), "application/json", "application/json"],
  ["JSON of unknown type", bytes('{"a": 1}'), "application/octet-stream", "application/json"],
  ["text that speaks of tags", bytes("the page says <b>hello</b>"), "text/plain", "text/plain"],
])("takes %s", (_what, file, declared, type) => {
  expect(evidenceType(file, declared)).toEqual({ ok: true, type });
});

it.each([
  ["a page", bytes("<!doctype html><script>alert(1)</script>"), "text/plain"],
  ["a page after spaces", bytes("\ufeff\n  <HTML>"), "text/plain"],
  ["a page as a table", bytes("<script>alert(1)</script>"), "text/csv"],
  [
    "a drawing with scripts",
    bytes('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'),
    "image/svg+xml",
  ],
  ["a drawing behind a declaration", bytes('<?xml version="1.0"?><svg/>'), "image/png"],
  ["a page after a comment", bytes("<!-- x --><html>"), "text/plain"],
  ["text sent as a page", bytes("hello"), "image/png"],
  ["a picture sent as a page", png, "text/html"],
  ["a picture sent as another type", png, "image/jpeg"],
  ["an archive, which may be a bomb", Buffer.from("504b0304140000000800", "hex"), "application/zip"],
  ["an archive sent as text", Buffer.from("504b0304140000000800", "hex"), "text/plain"],
  ["packed bytes, which may be a bomb", Buffer.from("1f8b0800000000000003", "hex"), "application/gzip"],
  ["packed bytes that are text as well", bytes("BZh91AY&SY"), "text/plain"],
  ["a program", Buffer.from("7f454c4602010100", "hex"), "application/octet-stream"],
  ["bytes that are no UTF-8", Buffer.from("c3280a", "hex"), "text/plain"],
  ["JSON that is none", bytes("{"), "application/json"],
  ["nothing", bytes(""), "text/plain"],
])("does not take %s", (_what, file, declared) => {
  expect(evidenceType(file, declared)).toMatchObject({ ok: false });
});

it.each([
  ["../../etc/passwd", "text/plain", "passwd.txt"],
  ["..\\..\\windows\\system.ini", "text/plain", "system.ini.txt"],
  ["/", "image/png", "evidence.png"],
  ["..", "image/png", "evidence.png"],
  ["photo.PNG", "image/png", "photo.PNG"],
  ["photo.html", "image/png", "photo.html.png"],
  ["drain.log", "text/plain", "drain.log"],
  ["a\r\nSet-Cookie: x.pdf", "application/pdf", "aSet-Cookie_ x.pdf"],
  ["evil\u202egnp.exe", "image/png", "evilgnp.exe.png"],
  ["a\u0000.png", "image/png", "a.png"],
  ["x".repeat(500), "text/csv", `${"x".repeat(100)}.csv`],
])("a name has no path and ends as its content: %j", (given, type, name) => {
  expect(evidenceName(given, type as "text/plain")).toBe(name);
});

it("a header cannot be broken out of", () => {
  expect(attachment('a"b;\u00e9.png')).toBe(
    "attachment; filename=\"a_b__.png\"; filename*=UTF-8''a%22b%3B%C3%A9.png",
  );
});
