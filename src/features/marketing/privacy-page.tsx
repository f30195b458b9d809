import { FIRM } from "./content/firm";
import { LEGAL_DAY, LegalPage, type LegalText } from "./legal-page";

export const PRIVACY: LegalText = {
  title: "Privacy",
  dated: LEGAL_DAY,
  lead: "What data Sangam keeps about you, why, who sees it, and how to get a copy or have it erased.",
  sections: [
    {
      id: "who",
      title: "Who is responsible",
      paragraphs: [`${FIRM.name}. If you have a question about your data, write to ${FIRM.email}.`],
    },
    {
      id: "account",
      title: "Your account",
      paragraphs: [
        "Your name, email address and phone number; a username made from your name; whether your email is confirmed; your account type; whether your account is pending, active, inactive or rejected, and who decided that and when; when an administrator invited you; and which version of the terms you accepted, and when.",
        "In Settings you can choose a display name and add your age and your address and upload a picture of yourself, from which we remove where it was taken. We also keep whether you want emails about unread messages.",
        "Your password is stored only as a hash, from which it can't be read. If you sign in with Google, Google gives us your name and your verified email address. We keep neither your picture there nor any of Google's access tokens.",
      ],
    },
    {
      id: "work",
      title: "Your work",
      paragraphs: [
        "The projects and tasks you are part of, what you write in them, and a history of who changed what and when. Your messages, with the time they were sent and how far each of you has read.",
        "Your comments, whom they mention, and how far you have read. Who may see a comment stands beside it: our team, or the project's client too.",
        "What you ask for in projects as a client, what is asked back and answered about it, and who decided it when.",
        "Your notifications, what you follow, how you want to receive each kind, and up to when you have seen what is new on your start page. If you turn on push notifications, the address at which your browser's maker takes them, until you turn them off or log out.",
        "The files you upload, with their name, size and time. From pictures, and from recordings as phones make them (MP4, MOV, M4A), we remove where they were taken; other kinds of files, such as WebM and MKV, stay as you upload them. A file that you attach to nothing is deleted after a day.",
        "For projects with a repository, we show commits read from GitHub: the message, the time, and the author's name, account and picture as GitHub gives them. Our server fetches these pictures, so that GitHub does not learn who looks at them.",
        "If you make a calendar address: a hash of it. Your due dates are read by everybody who has the address, until you replace or revoke it.",
        "If you make API keys: their names, their last four characters, and when each was last used.",
      ],
    },
    {
      id: "inquiries",
      title: "What you send us from these pages",
      paragraphs: [
        "What you write in the contact form or an application: your name and email address, your phone number or company if you give one, and your message. We keep it to answer you, and only our administrators read it.",
      ],
    },
    {
      id: "technical",
      title: "Technical data",
      paragraphs: [
        "For each sign-in, a session with its time, network address and browser, so that you and we can end it. One cookie keeps you signed in: for 30 days if you ask us to remember you, otherwise until you close the browser, and for 12 hours at most.",
        "An audit log of decisions about accounts, passwords, sessions, API keys, exports and deletions: who did what to whom, and when.",
        "To stop abuse, we count sign-in attempts and other calls by network address and account. These counts are deleted within hours.",
        "Your theme, the collapsed sidebar, drafts and messages that are not sent yet stay in your browser. There is no advertising, no tracking, and no other company's script or picture on these pages.",
        "We measure how fast pages load, with the page's address and nothing that tells whose visit it was. These figures are deleted after 28 days.",
      ],
    },
    {
      id: "sees",
      title: "Who sees it",
      paragraphs: [
        "Our team sees the names of the people on a project, and the email addresses of colleagues. Clients see only their own projects and the names of those who work on them, never email addresses or phone numbers. Only the people in a conversation can read it; an administrator can let another one answer in their place, which everybody in it sees, and take over the conversations of one who has left. Your age and your address are shown to nobody but you.",
        "Administrators see all accounts, projects and tasks, so that they can approve and help. They can open a client's portal without changing anything, which the audit log records, and take out everything we hold about a person, for that person, or all of our data; the audit log records both. They can have other programs notified of events, with titles and dates, but no names, and nothing that anyone wrote in a message, a comment or a request. We sell nothing and pass nothing else on, unless the law requires it.",
      ],
    },
    {
      id: "long",
      title: "How long we keep it",
      paragraphs: [
        "As long as your account exists. When it is erased, your name, username, display name, email address, phone number, age, address and picture are removed, and so are your password, sessions and API keys. A picture of you and files that you attached to nothing are deleted. What you wrote in projects, comments, requests and messages, and files that you attached there, stay for the others, under \u201cUnknown User\u201d or \u201cUnknown Client\u201d. Backups still hold what was erased until newer ones replace them.",
        "Some of it goes by itself: notifications after 180 days, what other programs were notified of after 90 days, what you send us from these pages after two years, and the audit log after three.",
        "What somebody was asked to sign off is kept as evidence for both sides, also after the project or the account is deleted: what was signed, the name of who was asked, what was decided, and when.",
      ],
    },
    {
      id: "rights",
      title: "Your rights",
      paragraphs: [
        "Ask us what we hold about you, and we send you a copy. Ask us to correct or erase it, and we do. We answer within 30 days, usually within one.",
      ],
    },
  ],
};

export function PrivacyPage() {
  return <LegalPage text={PRIVACY} />;
}
