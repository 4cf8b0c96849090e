import { Pencil, UserPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Account } from '../../../../contract/schemas/accounts.ts'
import { useKeeps } from '../../../sync/react/use-sync.ts'
import { Avatar } from '../../../ui/display/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmailText } from '../../../ui/text/email-text.tsx'
import { phoneAddress } from './phone-address.ts'
import { accountMessages, contactMessages as messages } from '../messages.ts'

const ContactDialog = lazy(async () => ({
  default: (await import('./contact-dialog.tsx')).ContactDialog,
}))

type Contact = Account['contacts'][number]

/** The contacts of an account, the primary one first. */
export function Contacts({ account }: { account: Account }) {
  const [open, setOpen] = useState<{ contact?: Contact }>()
  const isKept = useKeeps('accounts')('contacts')
  const ordered = account.contacts.toSorted((a, b) => Number(b.is_primary) - Number(a.is_primary))
  return (
    <section>
      <h2 className="text-sm font-semibold">{accountMessages.contacts}</h2>
      {ordered.length === 0 && (
        <p className="mt-1 text-sm text-ink-muted">{accountMessages.noContacts}</p>
      )}
      <ul className="mt-2 flex flex-col gap-3">
        {ordered.map((contact) => (
          <li key={contact.id} className="flex gap-3 text-sm">
            <Avatar name={contact.name} />
            <span className="min-w-0 grow">
              <span className="block font-semibold">
                {contact.name}
                {contact.is_primary && (
                  <span className="ms-2 font-normal text-ink-faint">{accountMessages.primary}</span>
                )}
              </span>
              {(contact.title || contact.role) && (
                <span className="block text-ink-muted">
                  {[contact.title, contact.role].filter(Boolean).join(' · ')}
                </span>
              )}
              {contact.email && (
                <a
                  href={`mailto:${encodeURIComponent(contact.email).replace('%40', '@')}`}
                  className="inline-flex items-center wrap-anywhere text-accent underline-offset-4 hover:underline coarse:min-h-11"
                >
                  <EmailText email={contact.email} />
                </a>
              )}
              {contact.phone && (
                <span className="block">
                  <a
                    href={phoneAddress(contact.phone)}
                    className="inline-flex items-center text-accent underline-offset-4 hover:underline coarse:min-h-11"
                  >
                    {contact.phone}
                  </a>
                </span>
              )}
            </span>
            <Button
              icon
              variant="quiet"
              className="-my-1.5 -me-2"
              aria-label={messages.edit(contact.name)}
              onClick={() => setOpen({ contact })}
            >
              <Pencil aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      {isKept && (
        <Button variant="quiet" className="-ms-3.5 mt-2" onClick={() => setOpen({})}>
          <UserPlus aria-hidden />
          {messages.add}
        </Button>
      )}
      {open && (
        <Suspense>
          <ContactDialog
            account={account}
            // As it was opened: it may have been removed meanwhile, and is not a new one then.
            contact={account.contacts.find(({ id }) => id === open.contact?.id) ?? open.contact}
            onClose={() => setOpen(undefined)}
          />
        </Suspense>
      )}
    </section>
  )
}
