import { validate } from '../../../contract/errors.ts'
import { OrganisationEdit, type Organisation } from '../../../contract/organisations.ts'
import { useConnection } from '../../sync/react.ts'
import { TextField } from '../../ui/field.tsx'
import { CurrencyField, TimeZoneField } from '../../ui/locale-fields.tsx'
import { PlainForm } from '../editing/plain-form.tsx'
import { changesOf, filled, useEditor } from '../editing/use-editor.tsx'
import { generalWords as words } from './general-words.ts'
import { editOrganisation } from './mutations.ts'

interface GeneralFormProps {
  organisation: Organisation
  action?: string
  onSaved: () => unknown
}

/** What an organisation is called and counts by; for those who may change it. It needs a network. */
export function GeneralForm({ organisation, action = words.save, onSaved }: GeneralFormProps) {
  const offline = useConnection() === 'offline'
  const { name, website, timezone, currency } = organisation
  const editor = useEditor({
    draft: `organisation:${organisation.id}`,
    id: 'organisation',
    said: { name, website: website ?? '', timezone, currency },
    labels: words.fields,
    check: (fields) => {
      const { website, ...said } = filled(fields)
      return validate(OrganisationEdit, {
        name: '',
        ...said,
        // Nobody types the beginning of an address.
        ...(website !== undefined && {
          website: /^[a-z]+:/i.test(website) ? website : `https://${website.trim()}`,
        }),
      })
    },
    save: (value, changed) => editOrganisation(organisation, changesOf(value, changed)),
    done: onSaved,
  })
  const { field } = editor

  return (
    <PlainForm
      editor={editor}
      action={action}
      unavailable={offline ? words.offline : undefined}
      beside={offline && <p className="text-sm text-ink-faint">{words.offline}</p>}
    >
      <TextField {...field('name')} autoComplete="organization" />
      <TextField {...field('website')} type="url" autoComplete="url" optional />
      <div className="grid items-end gap-5 sm:grid-cols-2">
        <TimeZoneField {...field('timezone')} hint={words.timezoneHint} />
        <CurrencyField {...field('currency')} hint={words.currencyHint} />
      </div>
    </PlainForm>
  )
}
