import { useMemo, type ComponentProps } from 'react'
import { LOCALE } from '../../../contract/locale.ts'
import { SelectField } from './field.tsx'

type FieldProps = Omit<ComponentProps<typeof SelectField>, 'children'> & { value: string }

const spoken = (zone: string) => zone.replaceAll('_', ' ')

/** A choice of an IANA time zone, by continent; the one chosen is there even if this browser does not list it. */
export function TimeZoneField(props: FieldProps) {
  const { value } = props
  const continents = useMemo(() => {
    const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', value])
    return Object.groupBy([...zones].toSorted(), (zone) => /^(\w+)\//.exec(zone)?.[1] ?? '')
  }, [value])
  return (
    <SelectField {...props}>
      {Object.entries(continents).map(([continent, zones = []]) =>
        continent === '' ? (
          zones.map((zone) => <option key={zone}>{zone}</option>)
        ) : (
          <optgroup key={continent} label={continent}>
            {zones.map((zone) => (
              <option key={zone} value={zone}>
                {spoken(zone.slice(continent.length + 1))}
              </option>
            ))}
          </optgroup>
        ),
      )}
    </SelectField>
  )
}

const NAMES = new Intl.DisplayNames(LOCALE, { type: 'currency' })

/** A choice of an ISO 4217 currency, by its code and name. */
export function CurrencyField(props: FieldProps) {
  const { value } = props
  const codes = useMemo(
    () => [...new Set([...Intl.supportedValuesOf('currency'), value])].toSorted(),
    [value],
  )
  return (
    <SelectField {...props}>
      {codes.map((code) => (
        <option key={code} value={code}>
          {nameOf(code)}
        </option>
      ))}
    </SelectField>
  )
}

function nameOf(code: string): string {
  try {
    return `${code} · ${NAMES.of(code)}`
  } catch {
    // A server may keep what is no code.
    return code
  }
}
