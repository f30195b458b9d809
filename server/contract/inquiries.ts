import { INQUIRY_KINDS, INQUIRY_STATUSES, INQUIRY_SUBJECTS, PROGRAMMES } from "@db/enums";
import * as z from "zod/mini";
import { emailSchema, mobileSchema } from "./accounts";
import { INQUIRY_MESSAGES } from "./messages/inquiries";
import { idSchema, lineSchema, orAbsent, textSchema } from "./text";

/** A field that people do not see: whatever fills it is a program. Such a call is answered like any other and kept nowhere. */
const honeypotSchema = z.optional(z.string().check(z.maxLength(2048)));
/** Made by the form for what stands in it: the same key and words again are one inquiry, however often they are sent. */
const inquiryKeySchema = z.optional(idSchema);
const nameSchema = lineSchema({ max: 100, required: INQUIRY_MESSAGES.nameRequired, label: "Name" });

/** The contact form. Spec 2, 5. */
const contactSchema = z.strictObject({
  kind: z.literal("contact"),
  name: nameSchema,
  email: emailSchema,
  company: z.optional(orAbsent(lineSchema({ max: 100, label: "Company" }))),
  subject: z.enum(INQUIRY_SUBJECTS, { error: INQUIRY_MESSAGES.subjectRequired }),
  message: textSchema({ max: 5000, required: INQUIRY_MESSAGES.messageRequired, label: "Message" }),
  website: honeypotSchema,
  inquiryKey: inquiryKeySchema,
});

/** The application for a programme. decisions.md, Careers. */
const applicationSchema = z.strictObject({
  kind: z.literal("application"),
  name: nameSchema,
  email: emailSchema,
  phone: mobileSchema,
  programme: z.enum(PROGRAMMES, { error: INQUIRY_MESSAGES.programmeRequired }),
  note: z.optional(orAbsent(textSchema({ max: 5000, label: "Note" }))),
  website: honeypotSchema,
  inquiryKey: inquiryKeySchema,
});

export const submitInquirySchema = z.discriminatedUnion("kind", [contactSchema, applicationSchema]);

export type Submission = z.output<typeof submitInquirySchema>;

/** Newest first; `cursor` is the `nextCursor` of the page before. */
export const listInquiriesSchema = z.strictObject({
  kind: z.optional(z.enum(INQUIRY_KINDS)),
  status: z.optional(z.enum(INQUIRY_STATUSES)),
  cursor: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
  /** Sent along by the browser's query library; only forward is there. */
  direction: z.optional(z.literal("forward")),
});

export const setInquiryStatusSchema = z.strictObject({ inquiryId: idSchema, status: z.enum(INQUIRY_STATUSES) });
