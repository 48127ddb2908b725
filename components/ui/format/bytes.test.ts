// Sizes match a drive's label.
import { expect, it } from "vitest";
import { formatBytes } from "@/components/ui/format/bytes";

it.each([
  ["0", "0 B"],
  ["999", "999 B"],
  ["480103981056", "480 GB"],
  ["3840755982336", "3.84 TB"],
  ["20000588955648", "20 TB"],
  ["not a number", "not a number"],
])("%s is %s", (bytes, words) => expect(formatBytes(bytes)).toBe(words));
