// Input files, YAML or JSON, validated against a schema; every fault is reported with its place.
import { parse } from "yaml";
import type { z } from "zod";
import { CommandError } from "@/cli/exit-codes";
import { readText } from "@/cli/shell";
import { formatDocument, faultLines } from "@/server/domain/schema-text";
import type { Surroundings } from "@/cli/surroundings";

function parseYaml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new CommandError(
      "usage",
      `${file} is no YAML: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * Reads and checks a file, or stdin for `-`.
 * @param what kind of document, such as "runbook"
 */
export async function readDocument<Shape extends z.ZodType>(
  what: string,
  shape: Shape,
  file: string,
  surroundings: Surroundings,
): Promise<z.output<Shape>> {
  const parsed = shape.safeParse(parseYaml(await readText("document", file, surroundings), file), {
    error: formatDocument,
  });
  if (parsed.success) return parsed.data;
  throw new CommandError("usage", `${file} is not a valid ${what}:`, faultLines(parsed.error));
}
