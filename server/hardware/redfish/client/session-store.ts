// Stores the addresses of our own Redfish sessions, so that the next process can delete them: BMCs allow only a few.

/** One session that we opened. The token is never stored; only the process that signed in has it. */
export interface StoredSession {
  /** Scheme, host and port of the BMC, so that a session is never deleted at another BMC after the host's address changed. */
  readonly origin: string;
  readonly uri: string;
}

/** One session per host, stored with the host that signed in. Whatever it throws passes through the Redfish client to the caller. */
export interface SessionStore {
  load(hostId: string): Promise<StoredSession | null>;
  /** Replaces the host's previous session. */
  save(hostId: string, session: StoredSession): Promise<void>;
  delete(hostId: string): Promise<void>;
}

/** For tests, and for programs whose sessions end with them. */
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
