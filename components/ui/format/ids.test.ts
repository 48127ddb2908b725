// Ids are shortened, serial numbers are not.
import { expect, it } from "vitest";
import { shortenId } from "@/components/ui/format/ids";

it("cuts an id", () => expect(shortenId("3f2b8a1c-0000-4000-8000-000000000001")).toBe("3f2b8a1c…"));
it("keeps a serial", () => expect(shortenId("S6XNNA0TC00391")).toBe("S6XNNA0TC00391"));
