package safety_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/safety"
)

// inOtherLanguages are the commonest sentences of a crisis.
//
//nolint:staticcheck // Persian is written with characters that nobody sees
const inOtherLanguages = `
Dw i eisiau marw; hunanladdiad
Ich will sterben; Selbstmord; Suizid; mein Mann schlägt mich; er hat mich vergewaltigt
Ik wil dood; Ik wil zelfmoord plegen; hij slaat me
Je veux mourir; je veux me suicider; il me frappe; il m'a violée
Voglio morire; farla finita; mi picchia; mi hanno stuprata
Quiero morir; quiero suicidarme; mi marido me pega; me violaron
Quero morrer; quero me matar; ele me bate; fui estuprada
chcę umrzeć; chcę się zabić; samobójstwo; mąż mnie bije; zgwałcił mnie
vreau să mor; sinucidere; mă bate; m-a violat
chci se zabít; chci umřít; sebevražda; bije mě
meg akarok halni; öngyilkosság; ver engem; megerőszakoltak
jag vill dö; jag vill inte leva; självmord; han slår mig; vill ta livet av mig
jeg vil dø; jeg vil ikke leve; selvmord; han slår meg
haluan kuolla; itsemurha; hän lyö minua; minut raiskattiin
ölmek istiyorum; intihar; kendimi öldürmek istiyorum; kocam beni dövüyor
waxaan rabaa inaan dhinto; wuu i garaacaa
tôi muốn chết; tự tử; tôi muốn tự tử; chồng đánh tôi
saya mau mati; bunuh diri; dia memukul saya
main marna chahta hoon; khudkushi; mujhe maarta hai; ami morte chai
хочу умереть; Я просто хочу умереть; не хочу жить; хочу покончить с собой; самоубийство; он меня бьёт; меня изнасиловали
я хочу вмерти; самогубство; він мене б'є; він мене бʼє; мене зґвалтували
θέλω να πεθάνω; θέλω να αυτοκτονήσω; ΘΕΛΩ ΝΑ ΠΕΘΑΝΩ; δεν θέλω να ζω; με χτυπάει; με βίασαν
אני רוצה למות; לא רוצה לחיות; התאבדות; הוא מרביץ לי; נאנסתי
أريد أن أموت; أريد الموت; لا أريد أن أعيش; انتحار; الانتحار; زوجي يضربني; اغتصبوني
می‌خواهم بمیرم; میخوام بمیرم; خودکشی; دیگه نمی‌خوام زندگی کنم; شوهرم کتکم می‌زند; به من تجاوز کردند
میں مرنا چاہتا ہوں; میں جینا نہیں چاہتی; مجھے مارتا ہے
मैं मरना चाहता हूँ; मैं जीना नहीं चाहती; आत्महत्या; वह मुझे मारता है; बलात्कार
ਮੈਂ ਮਰਨਾ ਚਾਹੁੰਦਾ ਹਾਂ; ਖੁਦਕੁਸ਼ੀ; ਉਹ ਮੈਨੂੰ ਮਾਰਦਾ ਹੈ
আমি মরতে চাই; আমি আর বাঁচতে চাই না; আত্মহত্যা; সে আমাকে মারে; ধর্ষণ
મારે મરવું છે; આત્મહત્યા; આપઘાત; એ મને મારે છે
நான் சாக வேண்டும்; தற்கொலை; அவர் என்னை அடிக்கிறார்
我想死; 我想自杀; 自殺したい; 不想活了; 他打我; 我被强奸了
死にたい; 消えたい; もう生きたくない; 夫に殴られる; レイプされた
죽고 싶어; 죽고싶다; 자살; 살기 싫다; 남편이 나를 때려요; 성폭행
ฆ่าตัวตาย; อยากตาย; เขาตีฉัน; ฉันถูกข่มขืน`

// calmElsewhere are titles of the same languages that say nothing of a crisis, some of whose letters are near.
const calmElsewhere = `
Тихий вечер у моря; Я хочу спать; обычный день; Хочу жить у моря; Моя мама; Ήσυχη θάλασσα; Θέλω να κοιμηθώ
שקט בערב; אני רוצה לישון; شجرة الهدوء; أريد أن أنام; خواب آرام; میں سونا چاہتا ہوں
शांत शाम; मैं सोना चाहता हूँ; শান্ত সন্ধ্যা; આજે શાંત; அமைதியான மாலை; ਸ਼ਾਂਤ ਸ਼ਾਮ
静かな朝; 夜の海; プレイフルな朝; 平静的海; 我想睡觉; 혼자 살기; 혼자살기; 과자 살 돈; 잠들기 전에; ชีวิตฉัน; คืนที่เงียบสงบ
Jag vill sova; Jeg vil sove; Haluan nukkua; Uyumak istiyorum; Saya mau tidur; Tutu practice; Do good; Va bene`

func TestThePlainestSentencesOfACrisisAreKnownInOtherLanguages(t *testing.T) {
	t.Parallel()
	for title := range sentences(inOtherLanguages) {
		require.Equal(t, safety.Crisis, safety.Classify(title).Class, title)
	}
	for title := range sentences(calmElsewhere) {
		require.NotEqual(t, safety.Crisis, safety.Classify(title).Class, title)
	}
}

func sentences(text string) func(func(string) bool) {
	return strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' || r == '\n' })
}

func TestATitleOfOtherLettersThanLatinIsNeverQuoted(t *testing.T) {
	t.Parallel()
	for _, title := range []string{"Тихий вечер у моря", "静かな朝", "შვიდობა", "شجرة الهدوء", "🌊 море", "Yoga для тихого вечера"} {
		found := safety.Classify(title)
		require.False(t, found.Quotable(), title)
	}
	for _, title := range []string{"After the long meeting", "Slow Sunday", "π and calm"} {
		require.True(t, safety.Classify(title).Quotable(), title)
	}
}
