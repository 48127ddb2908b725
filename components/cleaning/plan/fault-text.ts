// Texts for faults in a list of steps.
import type { ManualFault } from "@/server/domain/cleaning/plan/manual";
import type { OrderItem } from "@/components/cleaning/plan/order";
import { isObject, formatPath, type Json, type JsonObject } from "@/components/cleaning/plan/schema-field";
import { formatCounted } from "@/server/domain/numbers";

/** The value at `settings.0.checksum`; undefined where there is none. */
function at(args: JsonObject, path: string): Json | undefined {
  return path
    .split(".")
    .reduce<Json | undefined>(
      (value, name) =>
        Array.isArray(value) ? value[Number(name)] : isObject(value) ? value[name] : undefined,
      args,
    );
}

/** "settings[0].checksum is required", or the check's own message after the path. Pure. */
export function formatFault(
  { argument, message }: ManualFault,
  item: Pick<OrderItem, "args"> | undefined,
): string {
  if (argument === null || item === undefined) return message;
  const path = formatPath(argument);
  if (at(item.args, argument) === undefined) return `${path} is required`;
  return `${path}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

const shown = 3;

function formatValue(value: Json): string {
  if (Array.isArray(value)) {
    const texts = value.filter((entry) => typeof entry === "string");
    if (texts.length !== value.length) return formatCounted(value.length, "entry", "entries");
    return texts.length > shown
      ? `${texts.slice(0, shown).join(", ")} and ${texts.length - shown} more`
      : texts.join(", ");
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** "seconds: 600; reason: look at bay 3", for the line under a step. Pure. */
export function formatArgs(args: JsonObject): string {
  const words = Object.entries(args).map(([name, value]) => `${name}: ${formatValue(value)}`);
  return words.length === 0 ? "no arguments" : words.join("; ");
}
