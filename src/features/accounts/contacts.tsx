import type { Account } from '../../../contract/accounts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { accountWords as words } from './words.ts'

/** The people at a customer, the primary one first. */
export function Contacts({ contacts }: { contacts: Account['contacts'] }) {
  const ordered = contacts.toSorted((a, b) => Number(b.is_primary) - Number(a.is_primary))
  return (
    <section>
      <h2 className="text-sm font-semibold">{words.contacts}</h2>
      {contacts.length === 0 && <p className="mt-1 text-sm text-ink-muted">{words.noContacts}</p>}
      <ul className="mt-2 flex flex-col gap-3">
        {ordered.map((contact) => (
          <li key={contact.id} className="flex gap-3 text-sm">
            <Avatar name={contact.name} />
            <span className="min-w-0">
              <span className="block font-semibold">
                {contact.name}
                {contact.is_primary && (
                  <span className="ms-2 font-normal text-ink-faint">{words.primary}</span>
                )}
              </span>
              {contact.title && <span className="block text-ink-muted">{contact.title}</span>}
              {contact.email && (
                <a
                  href={`mailto:${encodeURIComponent(contact.email).replace('%40', '@')}`}
                  className="inline-flex items-center break-all text-accent underline-offset-4 hover:underline coarse:min-h-11"
                >
                  {contact.email}
                </a>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
