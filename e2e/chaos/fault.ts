import type { Company } from "./company";
import type { Database } from "./database";
import type { Recorder } from "./history";
import type { Random } from "./random";
import type { Servers } from "./servers";

export interface Scene {
  database: Database;
  servers: Servers;
  company: Company;
  recorder: Recorder;
  random: Random;
  /** The waits of `npm test`, or the full ones. */
  isShort: boolean;
}

/** Something that goes wrong under traffic. */
export interface Fault {
  name: string;
  servers: 1 | 2;
  /** How many times as many tabs as usual. */
  crowd?: number;
  /** Resolves when it is healed, unless there is a `heal`. */
  strike(scene: Scene): Promise<void>;
  /** Once more, together with the last words of all: nothing comes after them that would wake anybody. */
  strikeLast?(scene: Scene, sendLast: () => Promise<void>): Promise<void>;
  /** Where the promise is another than five seconds. */
  boundMs?: number;
  /** Ends it after the comparison. */
  heal?(scene: Scene): Promise<void>;
}
