package flite
import ("testing";"context";"fmt";"syscall";"time";"serein.app/services/generation/internal/narration")
func self() time.Duration { var r syscall.Rusage; syscall.Getrusage(0,&r); return time.Duration(r.Utime.Nano()+r.Stime.Nano()) }
func TestZZ(t *testing.T){
 s,_:=Open(context.Background(),part(t,"flite.wasm"),"/tmp/au/cache")
 for _,k:=range []string{"0","3","5","8","10"} { for _,v:=range []string{"slt","slt","rms","awb"}{ extra=[]string{"--seti","mlsa_speed_param="+k}; a:=self(); sp,_:=s.Speak(context.Background(),narration.Utterance{Text:"Let your shoulders soften, and breathe in slowly through the nose.",Base:v,Stretch:1.5}); d:=self()-a; fmt.Println(k,v,d,float64(len(sp.Samples))/16000/d.Seconds()) }}
}
