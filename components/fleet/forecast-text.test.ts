// The forecast in words.
import { expect, it } from "vitest";
import { formatForecast } from "@/components/fleet/forecast-text";

const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));
const clock = (date: Date) => `${date.getUTCHours()}:00`;
const said = { hosts: 8, unknown: 0, measured: 306, halfAt: at(15), mostAt: at(17) };

it.each([
  [said, "half by 15:00, 90 % by 17:00; from 306 returns"],
  [{ ...said, unknown: 2, mostAt: null }, "half by 15:00; from 306 returns"],
  [
    { ...said, unknown: 5, halfAt: null, mostAt: null },
    "no forecast: 5 of 8 need a person or have taken longer than any measured return",
  ],
  [
    { ...said, unknown: 8, measured: 0, halfAt: null, mostAt: null },
    "no forecast: no returns in the last 30 d",
  ],
  [{ ...said, hosts: 0, halfAt: null, mostAt: null }, null],
])("%j", (forecast, words) => expect(formatForecast(forecast, clock)).toBe(words));
