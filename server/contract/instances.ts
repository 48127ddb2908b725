// Instances: who has which host, and giving one up.
import { z } from "zod";
import {
  instanceHistoryLine,
  instanceList,
  instanceMatch,
  instanceRow,
  releaseResult,
} from "@/server/contract/answers/instances";
import { act, dispatch, list, paging, read, record } from "@/server/contract/define";

const instanceId = z.uuid("must be the id of an instance");

/** Asked of one instance by NICo's API, and by `instances.release` for each of its ids. */
export const releaseOne = act({
  title: "gives an instance up: its host is taken back and cleaned",
  right: "instance.release",
  action: "instance.release",
  input: z.strictObject({ instanceId }),
  output: record({ instanceId: z.string(), hostId: z.string(), alreadyReleasing: z.boolean() }),
});

export const instances = {
  list: read({
    title: "one page of the instances that have not ended, or of those that have",
    right: "instance.read",
    input: z.strictObject({
      filter: z.string().trim().max(200).default(""),
      status: z.enum(["open", "ended", "all"]).default("open"),
      ...paging(200, 100),
    }),
    output: instanceList,
  }),
  find: read({
    title: "the instances that a name or id may mean",
    right: "instance.read",
    input: z.strictObject({ text: z.string().min(1).max(256) }),
    output: list(instanceMatch),
  }),
  get: read({
    title: "one instance",
    right: "instance.read",
    input: z.strictObject({ id: instanceId }),
    output: instanceRow,
  }),
  history: read({
    title: "the status history of an instance, which stays readable after its end",
    right: "instance.read",
    input: z.strictObject({ id: instanceId }),
    output: list(instanceHistoryLine),
  }),
  release: dispatch({
    title: "gives instances up: their hosts are taken back and cleaned; one that refuses holds up no other",
    input: z.strictObject({ ids: z.array(instanceId).min(1).max(200) }),
    output: list(releaseResult),
  }),
};
