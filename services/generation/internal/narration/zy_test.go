package narration
import ("testing";"os/exec";"encoding/binary";"math";"fmt";"os";"serein.app/services/platform/loudness")
func TestZY(t *testing.T){
 for _,v:=range []string{"maren","isla"} {
 b,err:=exec.Command("ffmpeg","-v","error","-i","/tmp/au/out/"+v+".mp3","-f","f32le","-").Output(); if err!=nil {t.Fatal(err)}
 x:=make([]float32,len(b)/4); for i:=range x {x[i]=math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))}
 fmt.Println(v,len(x),loudness.Integrated(24000,x),loudness.TruePeak(x))
 }
 _=os.Args
}
