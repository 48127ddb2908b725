// Several instances: which number is next, and what is known after a request that was refused or not answered.
import { expect, it } from "vitest";
import { createSeveral, missingOf } from "@/components/instances/create-several";
import type { SentNames } from "@/components/instances/create-several";

const failed = (httpStatus: number, code: string, field?: string) =>
  Object.assign(new Error(code), { data: { httpStatus, problem: { detail: "Words.", code, field } } });
const taken = failed(409, "conflict", "name");

it.each([500, 502, 503])(
  "after status %i it is not known whether one was created, and it is not created twice",
  async (status) => {
    const sent: SentNames = new Map();
    const first = createSeveral("a", 2, () => Promise.reject(failed(status, "internal")), sent);
    await expect(first).rejects.toMatchObject({
      data: { problem: { detail: expect.stringContaining("did not answer for a-1, which may have been") } },
    });
    expect(missingOf(sent, "a", 2)).toBe(1);
    const asked: string[] = [];
    const create = (name: string) => {
      asked.push(name);
      return name === "a-1" ? Promise.reject(taken) : Promise.resolve();
    };
    await createSeveral("a", 2, create, sent);
    expect(asked).toEqual(["a-1", "a-2"]);
    expect(missingOf(sent, "a", 2)).toBe(0);
  },
);

it("an answer that was lost counts no more once the number is created", async () => {
  const sent: SentNames = new Map();
  const lost = createSeveral("a", 3, () => Promise.reject(failed(500, "internal")), sent);
  await expect(lost).rejects.toThrow();
  const refused = createSeveral(
    "a",
    3,
    (name) => (name === "a-1" ? Promise.resolve() : Promise.reject(failed(409, "conflict"))),
    sent,
  );
  await expect(refused).rejects.toThrow();
  expect(missingOf(sent, "a", 3)).toBe(2);
});

it("where every number is taken, says so and asks for another name", async () => {
  const asked: string[] = [];
  const create = (name: string) => {
    asked.push(name);
    return name === "a-7" ? Promise.resolve() : Promise.reject(taken);
  };
  const sent: SentNames = new Map();
  const send = () => createSeveral("a", 2, create, sent);
  const detail = "a-7 was created. Every number up to a-999 is taken. Choose another name for the others.";
  await expect(send()).rejects.toMatchObject({ data: { problem: { detail } } });
  expect(asked.at(-1)).toBe("a-999");
  await expect(send()).rejects.toMatchObject({ data: { problem: { detail } } });
  expect(asked.length).toBe(999);
});

it("counts nothing as created under a name that was not sent", () =>
  expect(missingOf(new Map(), "a", 3)).toBe(3));
