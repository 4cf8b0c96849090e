// Converts an account to form fields and back.
import type * as v from 'valibot'
import { AccountDraft, AccountEdit, type Account } from '../../../contract/schemas/accounts.ts'
import { validateForm, type Validated } from '../../../contract/errors.ts'
import { fieldLabels } from '../../data/operations/field-labels.ts'
import { currencyOf } from '../../ui/form/currency-of.ts'
import { readNumber, writeNumber } from '../../ui/form/read-number.ts'
import { readTypedTags, writeTags } from '../../ui/form/tag-list.ts'
import { formFields } from '../../widgets/editing/form-fields.ts'
import { nonEmptyFields, textFields, type Fields } from '../../widgets/editing/use-editor.tsx'
import { websiteAddress } from '../../widgets/editing/website-address.ts'
import { accountFormMessages as messages } from './messages.ts'

const NAMES = formFields(AccountEdit.entries, 'contacts', 'renewal_outcome')
export type AccountField = (typeof NAMES)[number]

export const accountLabels = fieldLabels(NAMES)

/** The fields of a new account. */
export const blankAccount = (owner_id: string, currency: string): Fields<AccountField> => ({
  ...textFields({}, NAMES),
  status: 'active',
  currency,
  owner_id,
})

/** The fields of an existing account. */
export const accountToFields = (account: Account): Fields<AccountField> =>
  textFields({ ...account, arr: writeNumber(account.arr), tags: writeTags(account.tags) }, NAMES)

/** Validates the fields with the contract's schema, which the server uses as well. */
export function checkAccount(
  fields: Fields<AccountField>,
): Validated<v.InferOutput<typeof AccountDraft>> {
  const { arr, tags, website, ...filled } = nonEmptyFields(fields)
  const checked = validateForm(AccountDraft, {
    name: '',
    ...filled,
    ...(arr !== undefined && { arr: readNumber(arr) }),
    ...(website !== undefined && { website: websiteAddress(website) }),
    tags: readTypedTags(tags ?? ''),
  })
  const { currency } = filled
  if (checked.ok && arr && currency && currencyOf(arr, currency) !== currency)
    return { ok: false, errors: { arr: [messages.otherCurrency(currency)] } }
  return checked
}
