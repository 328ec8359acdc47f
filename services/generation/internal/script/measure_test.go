package script

import ("testing";"fmt")
func TestMeasure(t *testing.T){
 lib,_:=words()
 for _,g:=range []map[string]*sheet{lib.common,lib.practices,lib.types,lib.images,lib.themes}{
  for _,id:=range sortedKeys(g){ s:=g[id]
   for st,bs:=range s.stages{ c,m:=0,0; for _,b:=range bs{p:=&piece{lines:b.lines}; c+=p.core(); ss:=p.sums(); m+=p.core()+ss[len(ss)-1]}
    fmt.Printf("%s/%s n=%d core=%d max=%d\n",id,st,len(bs),c/len(bs),m/len(bs)) } } } }
