// Drives, wherever they are or were.
import { z } from "zod";
import { driveModelList } from "@/server/contract/hosts/drive-models";
import { driveDetail, driveList, driveMatch } from "@/server/contract/hosts/drives-answers";
import { list, paging, read } from "@/server/contract/define";

export const drives = {
  list: read({
    title: "drives by part of their serial number, model or firmware",
    right: "host.list",
    /** All words must match; empty matches all drives. */
    input: z.strictObject({ text: z.string().trim().max(200).default(""), ...paging(200, 100) }),
    output: driveList,
  }),
  models: read({
    title: "drive models: results, durations and remnants of erases, by firmware and technique",
    right: "host.list",
    /** All words must match; empty matches all models. */
    input: z.strictObject({ text: z.string().trim().max(200).default(""), ...paging(200, 100) }),
    output: driveModelList,
  }),
  find: read({
    title: "the drives with a serial number or id; different models can share a serial number",
    right: "host.list",
    input: z.strictObject({
      text: z.string().trim().min(1).max(128),
      /** Only a drive of this model. */
      model: z.string().max(256).optional(),
    }),
    output: list(driveMatch),
  }),
  get: read({
    title: "a drive: the hosts it was in, every erase with its attempts, failures and dispositions",
    right: "host.read",
    input: z.strictObject({ id: z.guid("must be the id of a drive") }),
    output: driveDetail,
  }),
};
