// The BIOS defaults according to the BIOS's own attribute registry (DSP8010, AttributeRegistry).
import { z } from "zod";
import { pathOf, text } from "@/server/hardware/redfish/resources/references";
import { pathOfLink, type Settings } from "@/server/hardware/redfish/resources/resources";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";

const registryFile = z.object({
  Id: text,
  Registry: text,
  Location: z
    .array(z.object({ Uri: text }).nullish().catch(null))
    .nullish()
    .catch(null),
});
const entry = z.object({
  AttributeName: z.string(),
  DefaultValue: z.union([z.string(), z.number(), z.boolean()]).nullish().catch(null),
  ReadOnly: z.boolean().nullish().catch(null),
});
const registry = z.object({
  RegistryEntries: z.object({ Attributes: z.array(entry.nullish().catch(null)) }),
});

/** Defaults of the writable settings; null if the BMC has no such registry. */
export async function registryDefaults(
  session: StepClient,
  bios: { readonly AttributeRegistry?: string | null | undefined },
): Promise<Settings | null> {
  const registries = pathOfLink((await session.root()).Registries);
  if (registries === null || bios.AttributeRegistry == null) return null;
  const files = (await session.gather.resources(await session.gather.members("registries", registries))).map(
    ({ body }) => registryFile.safeParse(body).data,
  );
  const uri = files
    .find((file) => file?.Registry === bios.AttributeRegistry || file?.Id === bios.AttributeRegistry)
    ?.Location?.find((row) => row?.Uri != null)?.Uri;
  const path = uri == null ? null : pathOf(uri);
  const found = path === null ? null : await session.look(path, registry);
  if (found === null) return null;
  return Object.fromEntries(
    found.body.RegistryEntries.Attributes.flatMap((row) =>
      row?.DefaultValue == null || row.ReadOnly === true ? [] : [[row.AttributeName, row.DefaultValue]],
    ),
  );
}
