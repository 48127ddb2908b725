// Where the addresses of our own Redfish sessions are kept, so that the next process can delete them: BMCs have few.

/** One session that we opened. The token is never stored; only the process that signed in has it. */
export interface StoredSession {
  /** Scheme, host and port of the BMC: a session is never deleted at another one, should the host's BMC address change. */
  readonly origin: string;
  readonly uri: string;
}

/** One session per host, kept with the host that signed in. What it throws goes through the Redfish client to the caller. */
export interface SessionStore {
  load(hostId: string): Promise<StoredSession | null>;
  /** Replaces the host's former session. */
  save(hostId: string, session: StoredSession): Promise<void>;
  delete(hostId: string): Promise<void>;
}

/** For tests and for programs that end with their sessions. */
export function memorySessionStore(): SessionStore {
  const sessions = new Map<string, StoredSession>();
  return {
    load: async (hostId) => sessions.get(hostId) ?? null,
    save: async (hostId, session) => {
      sessions.set(hostId, session);
    },
    delete: async (hostId) => {
      sessions.delete(hostId);
    },
  };
}
