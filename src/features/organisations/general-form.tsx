import { validateForm } from '../../../contract/errors.ts'
import { OrganisationEdit, type Organisation } from '../../../contract/schemas/organisations.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { TextField } from '../../ui/form/field.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { CurrencyField, TimeZoneField } from '../../ui/form/locale-fields.tsx'
import { PlainForm } from '../../widgets/editing/plain-form.tsx'
import { changesOf, nonEmptyFields, useEditor } from '../../widgets/editing/use-editor.tsx'
import { websiteAddress } from '../../widgets/editing/website-address.ts'
import { generalMessages as messages } from './general-messages.ts'
import { editOrganisation } from '../../data/organisations/mutations.ts'

interface GeneralFormProps {
  organisation: Organisation
  action?: string
  onSaved: () => unknown
}

/** Name and defaults of an organisation, for those who may change them. Needs a network. */
export function GeneralForm({ organisation, action = messages.save, onSaved }: GeneralFormProps) {
  const offline = useConnection() === 'offline'
  const { name, website, timezone, currency } = organisation
  const editor = useEditor({
    draft: `organisation:${organisation.id}`,
    id: 'organisation',
    initial: { name, website: website ?? '', timezone, currency },
    record: organisation,
    labels: messages.fields,
    check: (fields) => {
      const { website, ...filled } = nonEmptyFields(fields)
      return validateForm(OrganisationEdit, {
        name: '',
        ...filled,
        ...(website !== undefined && { website: websiteAddress(website) }),
      })
    },
    save: async (value, changed) => {
      await editOrganisation(organisation, changesOf(value, changed))
      toast(messages.saved)
    },
    done: onSaved,
  })
  const { field } = editor

  return (
    <PlainForm
      editor={editor}
      action={action}
      unavailable={offline ? messages.offline : undefined}
      aside={offline && <p className="text-sm text-ink-faint">{messages.offline}</p>}
    >
      <TextField {...field('name')} autoComplete="organization" />
      <TextField {...field('website')} type="url" autoComplete="url" optional />
      <div className="grid grid-cols-1 items-end gap-5 sm:grid-cols-2">
        <TimeZoneField {...field('timezone')} hint={messages.timezoneHint} />
        <CurrencyField {...field('currency')} hint={messages.currencyHint} />
      </div>
    </PlainForm>
  )
}
