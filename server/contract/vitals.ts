import { VITALS, type Vital } from "@db/enums";
import * as z from "zod/mini";
import { APP_PAGES, PUBLIC_PAGES } from "./paths";

/** Pages of which speeds are kept: those that exist. What an address holds besides its path is nobody's business. */
const MEASURED_ROUTES = [...Object.keys(PUBLIC_PAGES), ...Object.keys(APP_PAGES)];

/** No page takes longer, and no score of layout shifts is that high: what exceeds it is not a measurement. */
const MAX_VALUES = 600_000;

/** What a page sends when it is left: at most one value of each kind. */
export const vitalsSchema = z.strictObject({
  route: z.string().check(z.refine((route) => MEASURED_ROUTES.includes(route))),
  vitals: z
    .array(z.strictObject({ vital: z.enum(VITALS), value: z.number().check(z.gte(0), z.lte(MAX_VALUES)) }))
    .check(
      z.minLength(1),
      z.maxLength(VITALS.length),
      z.refine((sent) => new Set(sent.map(({ vital }) => vital)).size === sent.length),
    ),
});
export type VitalsReport = z.infer<typeof vitalsSchema>;

/** Three of four visits were at least as good as `p75`: milliseconds, of CLS the score. */
export interface VitalSummary {
  route: string;
  vital: Vital;
  p75: number;
  /** How many visits it is made of. */
  count: number;
}

/** For how long measurements are kept. */
export const VITALS_DAYS = 28;

export const VITALS_PATH = "/api/vitals";
