import { listInquiriesSchema, setInquiryStatusSchema, submitInquirySchema } from "../contract/inquiries";
import { resumeSchema } from "../contract/text";
import { adminProcedure, publicProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { openStream } from "../realtime/stream";
import { inquirySource } from "./events";
import { setInquiryStatus, submitInquiry } from "./mutations";
import { listInquiries } from "./queries";

export const inquiriesRouter = router({
  /** Anyone, signed in or not. */
  submit: publicProcedure.input(submitInquirySchema).mutation(async ({ ctx, input }) => {
    await submitInquiry(ctx, input);
    return { ok: true };
  }),

  /** Newest first, by pages, of one kind or status or of all. */
  list: adminProcedure.input(listInquiriesSchema).query(({ ctx, input }) => listInquiries(ctx.db, input)),

  /** The last decision counts; who made it is kept. */
  setStatus: adminProcedure
    .input(setInquiryStatusSchema)
    .mutation(({ ctx, input }) => setInquiryStatus(ctx.db, { ...input, by: ctx.actor })),

  /** Says that requests came in or have another status: the lists are to be read again. */
  onChange: adminProcedure
    .input(resumeSchema)
    .subscription(({ ctx, input, signal }) =>
      openStream({ ctx, signal, cursor: input?.lastEventId }, inquirySource(ctx)),
    ),
});
