// Durations in words. Each form is one of docs/design/console.md#times-and-durations: an age in a list, a clock beside a limit, a short measurement.

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const tenths = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const two = (value: number) => String(value).padStart(2, "0");

/** An age for a list: "20 s", "38 min", "17 h 02 min", "3 d 04 h", "41 d". Negative values read as 0. */
export function formatAge(ms: number): string {
  const age = Math.max(0, ms);
  if (age < minuteMs) return `${Math.floor(age / secondMs)} s`;
  if (age < hourMs) return `${Math.floor(age / minuteMs)} min`;
  if (age < dayMs) return `${Math.floor(age / hourMs)} h ${two(Math.floor((age % hourMs) / minuteMs))} min`;
  const days = Math.floor(age / dayMs);
  return days < 10 ? `${days} d ${two(Math.floor((age % dayMs) / hourMs))} h` : `${days} d`;
}

/** An age with one unit only, for narrow columns: "22 h", "41 d". */
export function formatShortAge(ms: number): string {
  const age = Math.max(0, ms);
  if (age < minuteMs) return `${Math.floor(age / secondMs)} s`;
  if (age < hourMs) return `${Math.floor(age / minuteMs)} min`;
  if (age < dayMs) return `${Math.floor(age / hourMs)} h`;
  return `${Math.floor(age / dayMs)} d`;
}

/** A running clock: "8:52", "1:02:05". */
export function formatTimer(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / secondMs);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** How long something took: "0.2 s" below ten seconds, then as a clock. */
export function formatElapsed(ms: number): string {
  return ms < 10 * secondMs ? `${tenths.format(Math.max(0, ms) / secondMs)} s` : formatTimer(ms);
}

/** A duration as a sentence needs it: "45 s", "12 min", "1 h 30 min", "2 d". */
export function formatDuration(ms: number): string {
  if (ms < minuteMs) return `${Math.round(Math.max(0, ms) / secondMs)} s`;
  if (ms < hourMs) return `${Math.round(ms / minuteMs)} min`;
  if (ms < 2 * dayMs) {
    const minutes = Math.round((ms % hourMs) / minuteMs);
    const hours = Math.floor(ms / hourMs);
    return minutes === 0 ? `${hours} h` : minutes === 60 ? `${hours + 1} h` : `${hours} h ${minutes} min`;
  }
  return `${Math.round(ms / dayMs)} d`;
}
