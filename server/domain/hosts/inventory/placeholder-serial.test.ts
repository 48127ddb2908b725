// What firmware reports in place of a serial number names no part.
import { expect, it } from "vitest";
import { isPlaceholderSerial } from "@/server/domain/hosts/inventory/placeholder-serial";

it.each([
  "",
  "  ",
  "-",
  "0",
  "00000000",
  "xxxx",
  "FFFFFFFF",
  "N/A",
  "None",
  "Unknown",
  "To Be Filled By O.E.M.",
  "Default string",
  "Not Specified",
  "no serial number",
  "0123456789ABCDEF",
  "123456789 ",
  "OEM",
  "$(DEFAULT_STRING)",
  "Enter Serial",
  "Not Settable",
  "Chassis Serial Number",
  "Base Board Serial Number",
  "Type2 - Board Serial Number",
  "BSN12345678901234567",
])("%j is a placeholder", (serial) => expect(isPlaceholderSerial(serial)).toBe(true));

it.each([
  "A",
  "PHAX1234",
  "S6CKNE0T1",
  "00000001",
  "2401E8A0",
  "NA0X12",
  "123456780",
  "OEM1",
  "BSN12345678901234568",
])("%j is a name", (serial) => expect(isPlaceholderSerial(serial)).toBe(false));
