import type { MailSettings } from "../contract/views";
import { adminProcedure } from "../core/procedures";
import { router } from "../core/trpc";

/** Part of `system`. */
export const mailRouter = router({
  /** Whether mails leave the server, and in whose name. */
  mailSettings: adminProcedure.query(({ ctx }): MailSettings => ctx.mail),
});
