import { useState } from 'react'
import { AccountDraft } from '../../../contract/schemas/accounts.ts'
import { validateForm } from '../../../contract/errors.ts'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { TextField } from '../../ui/form/field.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { createRecord } from '../../data/change-records.ts'
import { useAccounts } from '../../data/accounts.ts'
import { PlainForm } from '../../widgets/editing/plain-form.tsx'
import { nonEmptyFields, useEditor } from '../../widgets/editing/use-editor.tsx'
import { websiteAddress } from '../../widgets/editing/website-address.ts'
import { InOrganisation, OrganisationReady } from './in-organisation.tsx'
import { ImportOffer } from './import-offer.tsx'
import type { StepProps } from './onboarding-screen.tsx'
import { onboardingMessages as messages } from './messages.ts'

/** Creates the first account. */
export function AccountStep({ onDone }: StepProps) {
  return (
    <InOrganisation>
      {(organisation) => <FirstAccount organisation={organisation} onDone={onDone} />}
    </InOrganisation>
  )
}

interface FirstProps {
  organisation: Organisation
  onDone: () => void
}

function FirstAccount({ organisation, onDone }: FirstProps) {
  const { accounts, query } = useAccounts()
  const loads = !accounts && query.isFetching
  const exists = accounts !== undefined && accounts.length > 0
  // It stays open while the account that it has created appears.
  const [isOpened, setOpened] = useState(false)
  if (!loads && !exists && !isOpened) setOpened(true)
  if (loads && !isOpened) return <SkeletonRows label={messages.loading} rows={1} />
  if (exists && !isOpened)
    return (
      <OrganisationReady onContinue={onDone}>
        {messages.account.alreadyExists(accounts.length)}
      </OrganisationReady>
    )
  return (
    <>
      <AccountForm organisation={organisation} onDone={onDone} />
      <ImportOffer to="/accounts?import">{messages.account.import}</ImportOffer>
    </>
  )
}

function AccountForm({ organisation: { currency }, onDone }: FirstProps) {
  const editor = useEditor({
    draft: 'first-account',
    id: 'account',
    collection: 'accounts',
    initial: { name: '', website: '' },
    labels: messages.account.fields,
    check: (fields) => {
      const { website, ...filled } = nonEmptyFields(fields)
      return validateForm(AccountDraft, {
        name: '',
        ...filled,
        currency,
        status: 'active',
        ...(website !== undefined && { website: websiteAddress(website) }),
      })
    },
    save: (value, _changed, _seen, { draft }) => createRecord('accounts', value, draft),
    done: onDone,
  })
  return (
    <PlainForm editor={editor} action={messages.account.create}>
      <TextField {...editor.field('name')} autoComplete="off" />
      <TextField {...editor.field('website')} type="url" autoComplete="off" optional />
    </PlainForm>
  )
}
