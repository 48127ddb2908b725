// One machine server for all tests of a file.
import { afterAll, beforeAll } from "vitest";
import {
  startMachineServer,
  type FixtureOptions,
  type MachineFixture,
} from "@/server/surfaces/machine/testing/machine-fixture";

/** Call it once at the top of a test file: starts the server before its tests and stops it after them. */
export function machineServer(options: FixtureOptions = {}): MachineFixture {
  let fixture: MachineFixture | null = null;
  const running = (): MachineFixture => {
    if (fixture === null) throw new Error("the machine server runs only during tests and their hooks");
    return fixture;
  };
  beforeAll(async () => {
    fixture = await startMachineServer(options);
  });
  afterAll(() => fixture?.close());
  return {
    get url() {
      return running().url;
    },
    get hostsUrl() {
      return running().hostsUrl;
    },
    get databaseUrl() {
      return running().databaseUrl;
    },
    get pool() {
      return running().pool;
    },
    get database() {
      return running().database;
    },
    get hub() {
      return running().hub;
    },
    get metrics() {
      return running().metrics;
    },
    get siteId() {
      return running().siteId;
    },
    get log() {
      return running().log;
    },
    wakes: () => running().wakes(),
    trouble: (reason) => running().trouble(reason),
    query: (text, values) => running().query(text, values),
    waiting: () => running().waiting(),
    stop: (then) => running().stop(then),
    close: () => running().close(),
  };
}
