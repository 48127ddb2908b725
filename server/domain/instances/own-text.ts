// What a tenant writes about its own instance: the rules for every API and form (docs/instances.md#name-description-and-labels).
import { z } from "zod";
import { unstorable } from "@/server/domain/hosts/labels/host-labels";

const storable = (text: string): boolean => !unstorable.test(text);
const cannotBeStored = "must not contain characters that cannot be stored";

export const instanceName = z
  .string()
  .trim()
  .min(2, "at least 2 characters")
  .max(256, "at most 256 characters")
  .refine(storable, cannotBeStored);

export const instanceDescription = z
  .string()
  .trim()
  .max(1024, "at most 1024 characters")
  .refine(storable, cannotBeStored);

export const instanceLabels = z
  .record(
    z.string().trim().min(1, "a label needs a name").max(128, "a label name has at most 128 characters"),
    z.string().max(256, "a label value has at most 256 characters"),
  )
  .refine((labels) => Object.keys(labels).length <= 50, "at most 50 labels")
  .refine(
    (labels) =>
      !Object.entries(labels)
        .flat()
        .some((text) => unstorable.test(text)),
    "a label contains a character that cannot be stored",
  );
export type InstanceLabels = z.output<typeof instanceLabels>;
