import { submitInquirySchema } from "../contract/inquiries";
import { publicProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { submitInquiry } from "./mutations";

export const inquiriesRouter = router({
  /** Anyone, signed in or not. */
  submit: publicProcedure.input(submitInquirySchema).mutation(async ({ ctx, input }) => {
    await submitInquiry(ctx, input);
    return { ok: true };
  }),
});
