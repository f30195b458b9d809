import type { Cast } from "./casts";
import type { Company } from "./company";
import type { Database } from "./database";
import type { Random } from "./random";
import type { Recorder } from "./recorder";
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

/** Something that goes wrong during traffic. */
export interface Fault {
  name: string;
  servers: 1 | 2;
  /** Who takes part; without it the firm. */
  cast?: Cast;
  /** Multiplies the number of tabs. */
  crowd?: number;
  /** Resolves once it has healed, unless there is a `heal`. */
  strike(scene: Scene): Promise<void>;
  /** Strikes once more during everybody's last messages: no later message would wake a stream up. */
  strikeLast?(scene: Scene, sendLast: () => Promise<void>): Promise<void>;
  /** Overrides the five seconds in which screens must be right. */
  boundMs?: number;
  /** Heals it after the comparison. */
  heal?(scene: Scene): Promise<void>;
}
