// The form of an account took a tag with a comma for two: the next edit of its tags stored both. It also separated tags
// at semicolons and bars, which its hint does not name.
import { expect, it } from 'vitest'
import { accountToFields, checkAccount } from '../../../src/features/accounts/account-fields.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'

const tagsIn = (fields: ReturnType<typeof accountToFields>) => {
  const checked = checkAccount(fields)
  return checked.ok ? checked.value.tags : checked.errors
}

it('the form has the tags of the account, whatever is in them', () => {
  const tags = ['a, b', 'R|D', 'EMEA; DACH', '"quoted"', 'say "hi"', 'plain']
  const fields = accountToFields(accountWith({ tags }))
  expect(tagsIn(fields)).toEqual(tags)
  expect(tagsIn({ ...fields, tags: `${fields.tags}, new` })).toEqual([...tags, 'new'])
})

it('tags are read as they are typed', () => {
  const typed = (tags: string) => tagsIn({ ...accountToFields(accountWith()), tags })
  expect(typed('sea, north ,,west,')).toEqual(['sea', 'north', 'west'])
  expect(typed('sea, "north, by land"')).toEqual(['sea', 'north, by land'])
  expect(typed('R&D | EMEA, sea; land')).toEqual(['R&D | EMEA', 'sea; land'])
  expect(typed(' ')).toEqual([])
})
