import type { DemoPersonName } from "./demo-people";
import type { InquiryStatus, InquirySubject, Programme } from "./enums";

/** What visitors have written to the demo organisation; hours are before the moment of the seed. */

interface DemoVisitor {
  name: string;
  email: string;
  message: string;
  hoursAgo: number;
  status: InquiryStatus;
  /** Who answered or closed it, and when. */
  decided?: { by: DemoPersonName; hoursAgo: number };
}

export type DemoInquiry = DemoVisitor &
  (
    | { kind: "contact"; subject: InquirySubject; company?: string }
    | { kind: "application"; programme: Programme; phone: string }
  );

export const DEMO_INQUIRIES: DemoInquiry[] = [
  {
    kind: "contact",
    name: "Ananya Bose",
    email: "ananya@teagarden.example",
    company: "Dooars Tea Estates",
    subject: "project",
    message:
      "We run four tea gardens and still write attendance and plucking weights by hand, on paper that gets wet.\n\nWe would like the weights on a phone, in Bengali and Nepali, and a sheet for the pay clerk every Saturday. There is no signal in two of the gardens, so it has to work without one and send later.\n\nIs that something you have done before? We could show you around in the first week of December. About 900 people work with us in the season, and about 350 outside of it.\n\nThere is an old system of the previous manager too; whoever takes this on would have to bring over what is in it.",
    hoursAgo: 3,
    status: "new",
  },
  {
    kind: "application",
    name: "Harpreet Singh",
    email: "harpreet@college.example",
    phone: "+91 98150 22334",
    programme: "paid-internship",
    message:
      "Third year, computer science. I have written a small library for bus timetables and would like to learn how a team works.",
    hoursAgo: 9,
    status: "new",
  },
  {
    kind: "contact",
    name: "زينب حداد",
    email: "zainab@souk.example",
    subject: "partnership",
    message: "مرحبا، نحن شركة صغيرة في دبي ونبحث عن شريك لتطوير تطبيق للتجار. هل يمكننا التحدث الأسبوع القادم؟ 🙂",
    hoursAgo: 26,
    status: "new",
  },
  {
    kind: "contact",
    name: "Joseph D'Souza",
    email: "joseph@quayside.example",
    company: "Quayside Logistics",
    subject: "support",
    message: "The day sheet of Monday printed without the last two berths. Could somebody look at it?",
    hoursAgo: 50,
    status: "answered",
    decided: { by: "vikram", hoursAgo: 47 },
  },
  {
    kind: "application",
    name: "Sneha Pawar",
    email: "sneha@college.example",
    phone: "+91 90110 55667",
    programme: "training",
    message: "",
    hoursAgo: 75,
    status: "answered",
    decided: { by: "asha", hoursAgo: 70 },
  },
  {
    kind: "contact",
    name: "Thomas Kurian",
    email: "thomas@spices.example",
    subject: "collaboration",
    message: "We met at the fair in Kochi. Shall we write the article on traceability together?",
    hoursAgo: 190,
    status: "closed",
    decided: { by: "asha", hoursAgo: 160 },
  },
  {
    kind: "application",
    name: "Imran Sheikh",
    email: "imran@college.example",
    phone: "020 2567 8899",
    programme: "free-internship",
    message: "I can start in January.",
    hoursAgo: 260,
    status: "closed",
    decided: { by: "vikram", hoursAgo: 236 },
  },
];
