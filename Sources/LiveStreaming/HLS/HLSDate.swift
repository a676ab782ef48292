// SPDX-License-Identifier: Apache-2.0

/// Dates in the form of ISO 8601, as `EXT-X-PROGRAM-DATE-TIME` has them (RFC 8216, 4.3.2.6).
package enum HLSDate {
    /// Returns a time in seconds since 1970 as UTC with milliseconds: `2026-11-21T12:34:56.789Z`.
    package static func text(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1000).rounded())
        let (days, time) = (milliseconds.dividedDown(by: 86_400_000), milliseconds.remainderDown(by: 86_400_000))
        // Days since 1 March of year 0, in eras of 400 years (the proleptic Gregorian calendar).
        let shifted = days + 719_468
        let (era, dayOfEra) = (shifted.dividedDown(by: 146_097), shifted.remainderDown(by: 146_097))
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let calendarMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0)
        let date = [pad(year, 4), pad(calendarMonth, 2), pad(day, 2)].joined(separator: "-")
        let clock = [time / 3_600_000, time / 60_000 % 60, time / 1000 % 60].map { pad($0, 2) }.joined(separator: ":")
        return "\(date)T\(clock).\(pad(time % 1000, 3))Z"
    }

    /// Returns the seconds since 1970 of a text in the form of ``text(_:)``, with a year of four digits; nil for other texts.
    package static func seconds(_ text: Substring) -> Double? {
        let digits = Array(text.utf8)
        guard digits.count == 24 else { return nil }
        /// Returns the number in a range of the text; nil if a character isn't a digit.
        func number(_ range: Range<Int>) -> Int? {
            digits[range].reduce(0) { value, digit in
                guard let value, (0x30...0x39).contains(digit) else { return nil }
                return 10 * value + Int(digit - 0x30)
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), let fraction = number(20..<23), (1...12).contains(month)
        else { return nil }
        // The year begins with March, so that the day of a leap year is its last.
        let shiftedYear = month > 2 ? year : year - 1
        let era = shiftedYear.dividedDown(by: 400)
        let yearOfEra = shiftedYear - 400 * era
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = 146_097 * era + 365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        let milliseconds = (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + fraction
        let result = Double(milliseconds) / 1000
        // Days and hours outside of their ranges, and other characters between the numbers, don't give the same text.
        return self.text(result) == text ? result : nil
    }

    /// Returns a number with leading zeros.
    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int {
    /// Returns the quotient rounded down, for a positive divisor.
    fileprivate func dividedDown(by divisor: Int) -> Int { (self - remainderDown(by: divisor)) / divisor }

    /// Returns the remainder from 0 on, for a positive divisor.
    fileprivate func remainderDown(by divisor: Int) -> Int { (self % divisor + divisor) % divisor }
}
